import { z } from 'zod'

const application = z.object({
  id: z.string(),
  name: z.string(),
  flags: z.int().optional(),
  verify_key: z.string().optional(),
})

/** Application flags: the bot may list a server's members, in many servers or (the second) in up to a hundred. */
const MAY_LIST_MEMBERS = (1 << 14) | (1 << 15)

export type TokenCheck =
  | {
      readonly ok: true
      readonly applicationId: string
      readonly name: string
      /** Whether the Server Members intent is on, which tips to roles need. */
      readonly mayListMembers: boolean
      /** What interactions by HTTP are signed with. */
      readonly publicKey: string | undefined
    }
  | { readonly ok: false; readonly why: string }

/** The shape of a token: three parts with dots between them. */
const EXAMPLE = 'Example: DISCORD_TOKEN=MTA….Gx….abc'

/** Asks Discord whose token this is. `apiUrl` without the version. Never throws. */
export async function checkToken(token: string, apiUrl: string): Promise<TokenCheck> {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return { ok: false, why: `DISCORD_TOKEN must be the token alone, without spaces and without "Bot". ${EXAMPLE}` }
  }
  try {
    const answer = await fetch(`${apiUrl}/v10/applications/@me`, {
      headers: { authorization: `Bot ${token}` },
      signal: AbortSignal.timeout(15_000),
    })
    if (answer.status === 401) {
      const why = `Discord does not know this token (DISCORD_TOKEN). Copy it again: Bot page → Reset Token. ${EXAMPLE}`
      return { ok: false, why }
    }
    if (!answer.ok) return { ok: false, why: `Discord answered ${answer.status}. Try again in a minute.` }
    const { id, name, flags = 0, verify_key: publicKey } = application.parse(await answer.json())
    return { ok: true, applicationId: id, name, mayListMembers: (flags & MAY_LIST_MEMBERS) !== 0, publicKey }
  } catch (error) {
    return {
      ok: false,
      why: `Discord could not be asked at ${apiUrl} (${reason(error)}). Check the connection and try again.`,
    }
  }
}

function reason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error ? cause.message : String(error)
}
