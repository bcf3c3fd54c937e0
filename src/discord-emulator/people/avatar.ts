import type { UserRecord } from '../world/records.ts'

/** A person's picture: their colour and first letter; the bot has a satchel with a bolt. */
export function avatarSvg(user: UserRecord): string {
  const letter = [...user.displayName][0]?.toUpperCase() ?? '?'
  const drawn = user.bot
    ? '<g transform="translate(23 19) scale(.64)">' +
      '<path d="M36 44v-8a28 28 0 0 1 56 0v8" fill="none" stroke="#fff" stroke-width="8"/>' +
      '<rect x="22" y="42" width="84" height="62" rx="14" fill="#fff"/>' +
      `<path d="M70 48 46 78h16l-6 22 26-32H66z" fill="${user.avatarColor}"/></g>`
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
