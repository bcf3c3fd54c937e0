/** Sets the theme before the first paint, so that the wrong theme never flashes. */
{
  const chosen = localStorage.getItem('theme')
  const dark = chosen === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark'
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
}
