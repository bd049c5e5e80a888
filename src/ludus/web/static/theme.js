// Light or dark before the first thing is drawn; the button in the header switches, and the choice is remembered.
(() => {
  const root = document.documentElement;
  const known = (() => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  })();
  if (known === "light" || known === "dark") root.dataset.theme = known;
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme")?.addEventListener("click", () => {
      const isDark = root.dataset.theme
        ? root.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = isDark ? "light" : "dark";
      try {
        localStorage.setItem("theme", root.dataset.theme);
      } catch {
        // a browser that keeps nothing still switches
      }
    });
  });
})();
