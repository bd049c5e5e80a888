"use strict";
// Before anything is drawn: the theme that was chosen here before; without a choice, the system's.
try {
  const chosen = localStorage.getItem("ludus-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch (error) {
  // A browser may keep nothing for pages that are opened from disk.
}
