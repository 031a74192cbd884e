// Buttons that copy the code beside them. Outside secure contexts there is no clipboard to write to:
// there the button selects the code instead.
for (const button of document.querySelectorAll("button.copy")) {
  const code = button.parentElement.querySelector("code");
  button.textContent = navigator.clipboard ? "Copy" : "Select";
  button.hidden = false;
  button.addEventListener("click", async () => {
    if (!navigator.clipboard) return getSelection().selectAllChildren(code);
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
    setTimeout(() => (button.textContent = label), 2_000);
  });
}
