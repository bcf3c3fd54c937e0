import type { Site } from './site.ts'

/** Names a person in the books: by the name on Discord, or by the books' own id if Discord does not know the name. */
export type Named = (id: string) => string

/** Each name may need a call to Discord. People beyond this limit keep their number. */
const MAX_ASKED = 50
/** Operators who are not from Discord have other ids. */
const OF_DISCORD = /^\d{15,20}$/

/** Asks Discord for the names of all these people together. Never throws. */
export async function namesOf({ parts }: Site, people: readonly (string | undefined)[]): Promise<Named> {
  const asked = [...new Set(people)].filter((id) => id !== undefined && OF_DISCORD.test(id)).slice(0, MAX_ASKED)
  const names = new Map<string, string>()
  await Promise.all(
    asked.map(async (id = '') => {
      const name = await parts.memberName(id).catch(() => undefined)
      // Anybody may have the shown name. It is isolated, so that the rest keeps its order beside Arabic or Hebrew.
      if (name !== undefined) names.set(id, `\u2068${name.shown}\u2069 (@${name.username})`)
    }),
  )
  return (id) => names.get(id) ?? id
}
