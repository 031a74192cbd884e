// Sends requests with a key that the reader pastes. The key is in the field alone: it is never stored.
const SHOWN_CHARACTERS = 20_000;
const key = document.getElementById("key");

for (const part of document.querySelectorAll(".try")) part.hidden = false;
for (const form of document.querySelectorAll("form.try")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
}

async function send(form) {
  const status = form.querySelector(".status");
  const button = form.querySelector("button");
  const show = (text) => (status.textContent = text);
  if (key.value.trim() === "") {
    show("Paste an API key at the top of this page first.");
    return key.focus();
  }
  let request;
  try {
    request = form.dataset.tool === undefined ? readOf(form) : callOf(form);
  } catch {
    return show("The arguments are not JSON.");
  }
  button.disabled = true;
  show("Waiting for the answer …");
  try {
    const started = performance.now();
    const headers = { ...request.headers, Authorization: `Bearer ${key.value.trim()}` };
    const response = await fetch(request.path, { ...request, headers, credentials: "omit" });
    const text = await response.text();
    const ms = Math.round(performance.now() - started);
    const left = response.headers.get("RateLimit");
    show(`${response.status} in ${ms} ms${left === null ? "" : `; RateLimit: ${left}`}`);
    showAnswer(form, text);
  } catch {
    show("No answer came. Check your connection, then try again.");
  } finally {
    button.disabled = false;
  }
}

function readOf(form) {
  const given = [...new FormData(form)].filter(([, value]) => value !== "");
  const query = new URLSearchParams(given).toString();
  return { path: query === "" ? form.dataset.path : `${form.dataset.path}?${query}` };
}

/** A tool call of the revisions that need no more than one message. */
function callOf(form) {
  const given = JSON.parse(form.elements.arguments.value);
  const params = { name: form.dataset.tool, arguments: given };
  return {
    path: "/mcp",
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  };
}

function showAnswer(form, text) {
  const answer = form.querySelector(".answer");
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    // What is no JSON is shown as it came.
  }
  answer.hidden = false;
  answer.textContent =
    shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}\n… (cut here)` : shown;
}
