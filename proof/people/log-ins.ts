import { createHash } from 'node:crypto'
import { Bug, LOG_IN_REDIRECT } from '../world/world.ts'
import { persistently } from './asking.ts'
import type { Actor, Stage } from './people.ts'
import { ask, type Browser, openForm, signIn } from './users.ts'

/** Users of the service who log in to a program from their own wallet page. */
export const logIns: Actor = {
  name: 'log-ins',
  weight: 1,
  async act(stage) {
    const browser = await signIn(stage, stage.chance.one(stage.world.users))
    if (browser !== undefined) await logIn(stage, browser)
  },
}

/**
 * Lets a user decide on their page whether the stranger's program may read their name and balance. The program
 * exchanges the code, reads both, and tries the code again, which must fail, even after a crash.
 */
async function logIn(stage: Stage, browser: Browser): Promise<void> {
  const verifier = createHash('sha256').update(`verifier ${stage.count()}`).digest('base64url')
  const code = await allow(stage, browser, verifier)
  if (code === undefined) return
  const { access_token: usertoken } = (await exchange(stage, code, verifier)) ?? {}
  if (usertoken !== undefined) {
    const user = await persistently(stage, () => stage.client.getUserProfile({ usertoken }), 'harmless')
    await persistently(stage, () => stage.client.getUserWallet({ usertoken }), 'harmless')
    if (user !== undefined && user.data.id !== browser.user)
      throw new Bug(`${browser.user} logged in, and the program is told of ${user.data.id}`)
    stage.note(`${browser.user}: logged in to the stranger's program`)
  }
  if (usertoken !== undefined && (await exchange(stage, code, verifier)) !== undefined)
    throw new Bug(`one code of ${browser.user} gave tokens twice`)
}

/**
 * Answers the question whether the program may read the user's data. Resolves to the code; undefined if the user
 * refuses or the answer is lost.
 */
async function allow(stage: Stage, browser: Browser, verifier: string): Promise<string | undefined> {
  const hidden = await openForm(stage, browser)
  if (hidden === undefined) return undefined
  const request = new URLSearchParams({
    ...{ response_type: 'code', client_id: stage.world.program.clientId, redirect_uri: LOG_IN_REDIRECT },
    ...{ scope: 'user wallet', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  }).toString()
  const answer = stage.chance.happens(0.8) ? 'allow' : 'deny'
  const reply = await ask(stage, 'POST', '/wallet/log-in', browser, { ...hidden, request, answer })
  if (reply?.status !== 303) return undefined
  const back = new URL(String(reply.headers.location))
  if (back.origin !== new URL(LOG_IN_REDIRECT).origin) throw new Bug(`the user of a log-in is sent to ${back.origin}`)
  return back.searchParams.get('code') ?? undefined
}

/**
 * Exchanges the code for a token. Resolves to the answer; undefined if the exchange is refused, or its answer is lost.
 */
async function exchange(
  stage: Stage,
  code: string,
  verifier: string,
): Promise<{ readonly access_token: string } | undefined> {
  const { clientId, clientSecret } = stage.world.program
  const reply = await ask(stage, 'POST', '/v1/oauth2/token', undefined, {
    ...{ grant_type: 'authorization_code', client_id: clientId, client_secret: clientSecret ?? '' },
    ...{ code, code_verifier: verifier, redirect_uri: LOG_IN_REDIRECT },
  })
  return reply?.status === 200 ? JSON.parse(reply.body) : undefined
}
