import { z } from 'zod'
import { changesOf } from '../../bot/bot.ts'

const application = z.object({
  id: z.string(),
  name: z.string(),
  flags: z.int().optional(),
  verify_key: z.string().optional(),
})

/**
 * The application flags that permit the bot to list the members of its servers: the first in any number of servers, the
 * second in up to a hundred.
 */
const MAY_LIST_MEMBERS = (1 << 14) | (1 << 15)

export type TokenCheck =
  | {
      readonly ok: true
      readonly applicationId: string
      readonly name: string
      /** Whether the Server Members intent is on, which tips to roles need. */
      readonly mayListMembers: boolean
      /** The public key that verifies the interactions that Discord sends over HTTP. */
      readonly publicKey: string | undefined
    }
  /** `isRefused` is true if the token is certainly wrong, and false if it could not be checked. */
  | { readonly ok: false; readonly why: string; readonly isRefused: boolean }

/** An example of a token's form: three parts with dots between them. */
const EXAMPLE = 'Example: DISCORD_TOKEN=MTA….Gx….abc'

/**
 * Asks Discord which bot this token belongs to. `apiUrl` is Discord's API address without the version. Never throws.
 */
export async function checkToken(token: string, apiUrl: string): Promise<TokenCheck> {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return {
      ok: false,
      why: `DISCORD_TOKEN must be only the token, without spaces and without "Bot". ${EXAMPLE}`,
      isRefused: true,
    }
  }
  try {
    const answer = await fetch(`${apiUrl}/v10/applications/@me`, {
      headers: { authorization: `Bot ${token}` },
      signal: AbortSignal.timeout(15_000),
    })
    if (answer.status === 401) {
      const why = `Discord does not know this token (DISCORD_TOKEN). On the Bot page of your application, press Reset Token, and copy the new token. ${EXAMPLE}`
      return { ok: false, why, isRefused: true }
    }
    if (!answer.ok)
      return {
        ok: false,
        why: `Discord answered with status ${answer.status}. Try again in a minute.`,
        isRefused: false,
      }
    const { id, name, flags = 0, verify_key: publicKey } = application.parse(await answer.json())
    return { ok: true, applicationId: id, name, mayListMembers: (flags & MAY_LIST_MEMBERS) !== 0, publicKey }
  } catch (error) {
    return {
      ok: false,
      why: `The token could not be checked with Discord at ${apiUrl} (${reason(error)}). Check the connection and try again.`,
      isRefused: false,
    }
  }
}

/**
 * Corrects the settings of the application at Discord. Resolves to what went wrong and what the owner must do;
 * undefined if nothing went wrong. Never throws.
 */
export async function configureApplication(
  token: string,
  apiUrl: string,
  requested: { readonly userInstall: boolean },
): Promise<string | undefined> {
  const ask = async (method: string, body?: object) =>
    await fetch(`${apiUrl}/v10/applications/@me`, {
      method,
      headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    })
  try {
    const changes = changesOf((await (await ask('GET')).json()) as Parameters<typeof changesOf>[0], requested)
    const answer = changes === undefined ? undefined : await ask('PATCH', changes)
    if (answer === undefined || answer.ok) return undefined
    return `Discord refused the change (${answer.status}). In the developer portal, on the page Installation, give Guild Install the scopes bot and applications.commands, and User Install only where you said yes.`
  } catch (error) {
    return `The application could not be configured with Discord at ${apiUrl} (${reason(error)}). The bot tries again at its start.`
  }
}

function reason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error ? cause.message : String(error)
}
