import type { UserRecord } from '../world/records.ts'

/**
 * Draws a person's picture: the first letter of their name on their colour. The bot's picture is a satchel with a bolt.
 */
export function avatarSvg(user: UserRecord): string {
  const letter = [...user.displayName][0]?.toUpperCase() ?? '?'
  const drawn = user.bot
    ? '<g transform="translate(24 22) scale(2.5)">' +
      '<path d="M9.5 11.5c0-7.7 13-7.7 13 0" fill="none" stroke="#fff" stroke-width="2.4"/>' +
      '<rect x="3" y="10" width="26" height="18" rx="5" fill="#fff"/>' +
      `<path d="M3.5 15c3 5.5 22 5.5 25 0" fill="none" stroke="${user.avatarColor}" stroke-width="1.8"/>` +
      `<path d="M17.4 13.6 12.6 20h3l-1 5 4.8-6.4h-3z" fill="${user.avatarColor}"/></g>`
    : '<text x="64" y="84" font-family="system-ui, sans-serif" font-size="58" font-weight="600" text-anchor="middle" ' +
      `fill="#fff">${escapeXml(letter)}</text>`
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128" width="128" height="128">' +
    `<rect width="128" height="128" fill="${user.avatarColor}"/>${drawn}</svg>`
  )
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
