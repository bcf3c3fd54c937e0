/** Names for an address: what they are called on Discord; where somebody was faster, the same with something of their own. */
export function ideasFor(userName: string, member: string): string[] {
  const name = userName.toLowerCase().replaceAll(/[^a-z0-9._-]/g, '')
  return [name, `${name}.tips`, `${name}.${member.slice(-4)}`, `member.${member}`]
}
