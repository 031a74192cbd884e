// Buttons that copy what another element holds: <button data-copy="id-of-the-element" hidden>. What
// `data-then` says is shown with the copied text; without it, the button itself says that it copied.
const toast = document.createElement("p");
toast.className = "toast";
toast.role = "status";
document.body.append(toast);
let timer;

for (const button of document.querySelectorAll("button[data-copy]")) {
  const source = document.getElementById(button.dataset.copy);
  const label = button.innerHTML;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const text = source.textContent.trim();
    if (!(await copy(text))) return letSelect(source);
    if (button.dataset.then) return say(button.dataset.then, text);
    button.textContent = "Copied";
    setTimeout(() => (button.innerHTML = label), 2_000);
  });
}

/** False where browsers refuse, as they do on pages that are not served over https. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function letSelect(source) {
  const hiddenIn = source.closest("details");
  if (hiddenIn) hiddenIn.open = true;
  getSelection().selectAllChildren(source);
  source.scrollIntoView({ block: "nearest" });
  say("Your browser does not let this page copy. The text is selected: copy it yourself.");
}

function say(message, text = "") {
  const copied = document.createElement("span");
  copied.textContent = text;
  toast.replaceChildren(message, " ", copied);
  clearTimeout(timer);
  timer = setTimeout(() => toast.replaceChildren(), 8_000);
}
