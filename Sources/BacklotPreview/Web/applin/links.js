// The links that open the app on a phone: the page's URL, and Applin Tester's (Applin documentation, Applin Tester).

export function links(origin, basePath, stack) {
  const base = `${origin}${basePath}`;
  const paths = stack.filter((path) => !path.startsWith("/applin_"));
  const query = paths.map((path) => `p=${encodeURIComponent(path).replaceAll("%2F", "/")}`).join("&");
  return [
    { label: "In Applin Tester", url: `applin:${base}?${query || "p=/"}` },
    { label: "In a browser", url: base + (paths.at(-1) ?? "/").slice(1) },
  ];
}
