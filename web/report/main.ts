import "../shared/theme.css";

// `neo report` puts its data where the page has a placeholder.
const data: unknown = JSON.parse(document.getElementById("data")!.textContent!);
document.getElementById("page")!.textContent = typeof data === "string" ? "This page has no data; it is filled by `neo report`." : "";
