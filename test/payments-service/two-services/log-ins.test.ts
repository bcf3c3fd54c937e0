import { createHash, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createAdministration } from '../../../src/payments-service/administration/administration.ts'
import { readAuthorizationRequest } from '../../../src/payments-service/log-in/authorization-request.ts'
import { findClient } from '../../../src/payments-service/log-in/clients.ts'
import { allow } from '../../../src/payments-service/log-in/grants.ts'
import { exchangeCode, findLoggedIn, refresh } from '../../../src/payments-service/log-in/tokens.ts'
import { type Neighbour, Neighbours } from './neighbours.ts'

const REDIRECT = 'https://game.example/callback'
const VERIFIER = 'v'.repeat(43)

let world: Neighbours
let a: Neighbour
let b: Neighbour

beforeEach(async () => {
  world = await Neighbours.open()
  ;[a, b] = world.all as [Neighbour, Neighbour]
})
afterEach(() => world.close())

/** Registers a program, and creates its log-in code, which a user has allowed at the first service. */
async function begin() {
  const { parts } = a.service
  const administration = createAdministration({ ...parts, sandbox: false })
  const about = { name: 'Game', redirectUris: [REDIRECT], isPublic: true }
  const { clientId } = await administration.createClient(world.project.id, about)
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: clientId, redirect_uri: REDIRECT, code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  })
  const asked = await readAuthorizationRequest(parts, query)
  const client = await findClient(parts.database, clientId)
  if (asked.kind !== 'asked' || client === undefined) throw new Error('not asked')
  const userId = randomUUID()
  return { client, userId, code: await allow(parts, userId, asked.request) }
}

it('a log-in code and a refresh token can each be used only once across two services', async () => {
  const { client, code, userId } = await begin()
  const proof = { code, redirectUri: REDIRECT, verifier: VERIFIER }
  const first = await exchangeCode(b.service.parts, client, proof)
  expect(await findLoggedIn(a.service.parts, first.access_token, world.project.id)).toMatchObject({ userId })
  const asking = Array.from({ length: 20 }, (_, n) =>
    refresh((n % 2 === 0 ? a : b).service.parts, client, { token: first.refresh_token, scope: undefined }),
  )
  const won = (await Promise.allSettled(asking)).filter(({ status }) => status === 'fulfilled')
  expect(won).toHaveLength(1)
  for (const { service } of [a, b])
    expect(await findLoggedIn(service.parts, first.access_token, world.project.id)).toBeUndefined()
  await expect(exchangeCode(a.service.parts, client, proof)).rejects.toMatchObject({ code: 'invalid_grant' })
})
