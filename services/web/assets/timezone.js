// Proposes the browser's own time zone where a page asks for one. Nothing is saved until the person
// does so.
const link = document.getElementById("choose-timezone");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (link && zone) {
  const url = new URL(link.href);
  url.searchParams.set("timezone", zone);
  link.href = url.href;
}
