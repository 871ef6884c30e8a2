// Runs before the first paint, so that a page in the other theme does not flash.
(function () {
  try {
    var theme = localStorage.getItem("gnaw-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch (e) {
    // No storage: the theme of the system is used.
  }
})();
