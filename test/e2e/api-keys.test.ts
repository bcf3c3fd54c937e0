import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { verifyCallback } from '../../src/payments-api/payments-api.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { must } from '../support/must.ts'
import { openPooledStage } from './pooled-stage.ts'

async function makeKey(stage: Stage): Promise<{ readonly made: MessageView; readonly key: string }> {
  const [made] = await stage.command('mod', 'api-key create', { name: 'arena', use: 'rewards', budget: '500' })
  return { made: must(made), key: must(/satchel_[\w-]{43}/.exec(textOf(must(made)))?.[0]) }
}

async function reward(stage: Stage, key: string, member: string, id = 'match-1') {
  const response = await fetch(`${new URL(stage.world.bot.callbackUrl).origin}/api/v1/rewards`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'idempotency-key': id },
    body: JSON.stringify({ member, amountMsats: '300000', reason: 'Won a match' }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

it('a program gives rewards with a moderator’s key, and the card names the moderator', async () => {
  const stage = await openPooledStage()
  const { made, key } = await makeKey(stage)
  expect(made.ephemeral).toBe(true)
  expect(textOf(made)).toMatch(/Copy the key now[\s\S]*0 test sats of 500 [\s\S]*show in <#/)
  const answer = await reward(stage, key, stage.id('bob'))
  expect(answer).toMatchObject({ status: 201, body: { amountMsats: '300000', state: 'given' } })
  const card = await stage.sees('carol', /\*\*300 test sats\*\* from the pool for @\w+[\s\S]*Won a match/)
  expect(textOf(card)).toMatch(/With the API key arena of Mod/)
  expect(card.notifies.personIds).toEqual([stage.id('bob')])
  await stage.until('bob is paid', async () => (await stage.wealth('bob')) === 300)

  stage.mustSay(await stage.command('mod', 'api-key list'), /arena[\s\S]*300 test sats of 500 [\s\S]*Works until/)
  expect(await reward(stage, key, stage.id('carol'), 'match-2')).toMatchObject({
    body: { code: 'key_budget_exceeded' },
  })
  const [choice] = await stage.person('mod').autocomplete(stage.channel(), 'api-key revoke', { key: '' }, 'key')
  stage.mustSay(await stage.command('mod', 'api-key revoke', { key: String(must(choice).value) }), /Revoked by Mod/)
  expect(await reward(stage, key, stage.id('carol'), 'match-3')).toMatchObject({ status: 401 })
})

it('API keys cannot reward people outside the server, and members cannot create keys', async () => {
  const stage = await openPooledStage()
  await expect(stage.command('bob', 'api-key create', { name: 'mine', use: 'members' })).rejects.toThrow(/no command/)
  const { key } = await makeKey(stage)
  expect(await reward(stage, key, '99999999999999999')).toMatchObject({
    status: 404,
    body: { code: 'member_not_found' },
  })
})

it('a new API key for events is shown with the URL of its overlay', async () => {
  const stage = await openPooledStage()
  const [made] = await stage.command('mod', 'api-key create', { name: 'stream', use: 'events' })
  const text = textOf(must(made))
  expect(text).toMatch(/in OBS, add a \*Browser\* source[\s\S]*also an overlay for OBS/)
  const address = must(/http\S+\/overlay#key=satchel_[\w-]{43}/.exec(text)?.[0])
  expect(address).toContain(must(/^satchel_[\w-]{43}$/m.exec(text)?.[0]))
  expect((await fetch(address)).headers.get('content-type')).toContain('text/html')
  expect(textOf((await makeKey(stage)).made)).not.toContain('overlay')
})

it('a webhook reports a reward that appears in a channel open to everybody', async () => {
  const stage = await openPooledStage()
  const heard: { headers: IncomingHttpHeaders; body: string }[] = []
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    heard.push({ headers: request.headers, body })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void receiver.close())
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const wrong = await stage.command('mod', 'api-key create', { name: 'hook', use: 'members', url })
  stage.mustSay(wrong, /Only a key for hearing what happens/)
  const [made] = await stage.command('mod', 'api-key create', { name: 'hook', use: 'events', url })
  expect(must(made).ephemeral).toBe(true)
  expect(textOf(must(made))).toMatch(/signing secret[\s\S]*whsec_[\s\S]*Events go to 127\.0\.0\.1/)
  const secret = must(/whsec_[\w+/]{43}=/.exec(textOf(must(made)))?.[0])
  const { key } = await makeKey(stage)
  expect((await reward(stage, key, stage.id('bob'))).status).toBe(201)
  await expect.poll(() => heard.length, { timeout: 10_000 }).toBe(1)
  const { headers, body } = must(heard[0])
  expect(verifyCallback({ headers, body, secrets: [secret], clock: systemClock }).genuine).toBe(true)
  const about = { type: 'reward', from: null, to: stage.id('bob'), amountMsats: '300000' }
  expect(JSON.parse(body)).toMatchObject(about)
  const listed = textOf(must((await stage.command('mod', 'api-key list', {}))[0]))
  expect(listed).toMatch(/Events go to 127\.0\.0\.1/)
  expect(listed).not.toMatch(/never used/)
})

/** Returns the script in the workflow among the examples. */
function workflowScript(): string {
  const workflow = readFileSync(new URL('../../examples/reward-a-merge/reward-a-merge.yml', import.meta.url), 'utf8')
  const [, script = ''] = /\n {8}run: \|\n((?: {10}.*\n)+)/.exec(workflow) ?? []
  return script.replaceAll(/^ {10}/gm, '')
}

it('the example workflow rewards a merge only once, however often it runs', async () => {
  const stage = await openPooledStage()
  const { key } = await makeKey(stage)
  const { origin: BOT } = new URL(stage.world.bot.callbackUrl)
  const run = async (member: string) => {
    const env = { PATH: process.env.PATH, BOT, KEY: key, MEMBER: member, MERGE: 'acme/site#7' }
    return (await promisify(execFile)('sh', ['-ec', workflowScript()], { env })).stdout
  }
  expect(await run('')).toMatch('does not name')
  const answers = [await run(stage.id('bob')), await run(stage.id('bob'))]
  expect(answers[0]).toBe(answers[1])
  expect(JSON.parse(answers[0] ?? '')).toMatchObject({ amountMsats: '500000', reason: 'Merged acme/site#7' })
  await stage.until('bob is paid', async () => (await stage.wealth('bob')) === 500)
})
