/** Runs before the first paint, so that nobody sees the wrong theme flash by. */
{
  const chosen = localStorage.getItem('theme')
  const dark = chosen === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark'
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
}
