import type { Site } from './site.ts'

/**
 * Returns the name on Discord of a person in the books, or their id in the books if Discord does not know their name.
 */
export type Named = (id: string) => string

/**
 * The maximum number of people whose names are asked for, because each may need a call to Discord. All others are shown
 * by their ids.
 */
const MAX_ASKED = 50
/** Matches the ids of people on Discord. The operators who sign in with the password have another id. */
const OF_DISCORD = /^\d{15,20}$/

/** Asks Discord for the names of these people, all at the same time. Never rejects. */
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
