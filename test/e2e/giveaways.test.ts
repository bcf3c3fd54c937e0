import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { type DrawProof, faultsOfDraw } from '../../src/lib/proofs/draw-proof.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { must } from '../support/must.ts'
import { ShiftedClock } from '../support/shifted-clock.ts'
import { balance, openFundedStage } from './harness.ts'

/** Returns the first giveaway in the list of suggestions. */
async function pick(stage: Stage, who: string, verb: string): Promise<string> {
  const choices = await stage
    .person(who)
    .autocomplete(stage.channel(), `giveaway ${verb}`, { giveaway: '' }, 'giveaway')
  return String(must(choices[0]).value)
}

async function fileOf(message: MessageView): Promise<string> {
  const attachment = must(message.attachments.find(({ contentType }) => contentType?.includes('json')))
  return await (await fetch(attachment.url)).text()
}

/** Runs `npm run verify` on a file with these contents. */
function verify(content: string): { status: number | null; said: string } {
  const folder = mkdtempSync(join(tmpdir(), 'satchel-proof-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'proof.json')
  writeFileSync(file, content)
  const cli = resolve(import.meta.dirname, '../../src/cli/verify.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, file], { encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

/** Ends the newest giveaway early as its starter, and lets the last minute pass. */
async function endEarly(stage: Stage, clock: ShiftedClock): Promise<void> {
  const ended = await stage.command('alice', 'giveaway end', { giveaway: await pick(stage, 'alice', 'end') })
  stage.mustSay(ended, /It ends .+ and the channel knows/)
  await stage.sees('carol', /ends this giveaway early: you can enter until/)
  await stage.world.bot.kill()
  clock.shiftMs += 61_000
  await stage.world.bot.start()
}

describe('a giveaway', () => {
  it('can grow once its starter accepts the extra cost, but cannot shrink', async () => {
    const stage = await openFundedStage()
    const [card] = await stage.command('alice', 'giveaway start', { prize: '500', winners: 1, duration: '1h' })
    const giveaway = await pick(stage, 'alice', 'edit')
    stage.mustSay(await stage.command('alice', 'giveaway edit', { giveaway, prize: '499' }), /can only grow/)
    const [question] = await stage.command('alice', 'giveaway edit', {
      giveaway,
      prize: '700',
      winners: 2,
      longer: '1h',
    })
    expect(textOf(must(question))).toMatch(
      /prize 500 test sats → \*\*700 test sats\*\*[\s\S]*winners 1 → \*\*2\*\*[\s\S]*takes \*\*900 test sats\*\* more/,
    )
    expect(must(question).ephemeral).toBe(true)
    expect(await balance(stage)).toBe(9_500)
    await stage.press('alice', must(question), 'Change it')
    await stage.until('alice has paid', async () => (await balance(stage)) === 8_600)
    const shown = await stage.sees(
      'carol',
      /gives away \*\*700 test sats\*\* each to 2 people[\s\S]*Changed by Alice: prize/,
    )
    expect(shown.id).toBe(must(card).id)
  })

  it('draws again if its prize is not claimed in time, and can be verified offline', async () => {
    const clock = new ShiftedClock()
    const stage = await openFundedStage(10_000, { clock })
    const terms = { prize: '500', winners: 1, duration: '1h', 'claim-time': '10m' }
    const [card] = await stage.command('alice', 'giveaway start', terms)
    expect(textOf(must(card))).toMatch(/Claim time: \*\*10 minutes\*\*[\s\S]*Winners must claim/)
    for (const who of ['bob', 'carol']) await stage.press(who, must(card), 'Enter')
    await endEarly(stage, clock)
    const named = await stage.sees('dave', /Drawn for \*\*500 test sats\*\*/)
    const [first, second] = textOf(named).includes('Bob') ? ['bob', 'carol'] : ['carol', 'bob']
    expect(named.notifies.personIds).toEqual([stage.id(first)])
    stage.mustSay(await stage.press(second, named, 'Claim'), /were not drawn/)
    expect(await balance(stage, first)).toBe(0)
    const early = await stage.command('alice', 'giveaway reroll', { giveaway: await pick(stage, 'alice', 'reroll') })
    stage.mustSay(early, /can still claim/)

    await stage.world.bot.kill()
    clock.shiftMs += 10 * 60_000 + 1_000
    await stage.world.bot.start()
    const next = await stage.sees('dave', /Unclaimed prizes go to the next[\s\S]*Drawn for/)
    expect(next.notifies.personIds).toEqual([stage.id(second)])
    stage.mustSay(await stage.press(first, next, 'Claim'), /time to claim this prize ended/)
    stage.mustSay(await stage.press(second, next, 'Claim'), /500 test sats\*\* is yours/)
    await stage.until('the second is paid', async () => (await balance(stage, second)) === 500)
    expect(await balance(stage)).toBe(9_500)
    const settled = await stage.sees('dave', /gives away[\s\S]*🎉[\s\S]*Not claimed in time/)
    expect(settled.id).toBe(must(card).id)
    const [answer] = await stage.command('dave', 'giveaway verify', { giveaway: await pick(stage, 'dave', 'verify') })
    expect(answer?.embeds[0]?.title).toBe('Draw verified')
    expect(textOf(must(answer))).toMatch(/next people in the same order/)
    const content = await fileOf(must(answer))
    expect(verify(content)).toMatchObject({ status: 0, said: expect.stringMatching(/round 2: 1 of 1 claimed/) })
    const proof = JSON.parse(content) as { claim: { rounds: { named: string[] }[] }; drawnAgain: string[] }
    must(proof.claim.rounds[1]).named = [stage.id('mod')]
    expect(verify(JSON.stringify(proof))).toMatchObject({ status: 1, said: expect.stringMatching(/round 2 must name/) })
  })

  it('shows its seed’s hash from the start, and can be verified after an early end', async () => {
    const clock = new ShiftedClock()
    const stage = await openFundedStage(10_000, { clock })
    await stage.command('bob', 'link', { wallet: 'bob' })
    const inWallet = await stage.holds('service', 'wallet', 'bob')
    const [card] = await stage.command('alice', 'giveaway start', { prize: '500', winners: 1, duration: '1h' })
    expect(textOf(must(card))).toMatch(
      /gives away \*\*500 test sats\*\* to 1 person[\s\S]*Ends [\s\S]*secret seed alone[\s\S]*anyone can check/,
    )
    expect(await balance(stage)).toBe(9_500)
    stage.mustSay(await stage.press('bob', must(card), 'Enter'), /You are in\. Entered so far: 1\. Ends: /)
    stage.mustSay(await stage.press('bob', must(card), 'Enter'), /You are in already/)
    const offered = await stage
      .person('alice')
      .autocomplete(stage.channel(), 'giveaway end', { giveaway: '' }, 'giveaway')
    expect(offered.map(({ name }) => name)).toEqual([
      expect.stringMatching(/500 test sats × 1 · open · 1 person · in \d/),
    ])
    stage.mustSay(await stage.press('alice', must(card), 'Enter'), /your own giveaway/)

    await endEarly(stage, clock)
    const drawn = await stage.sees('carol', /won \*\*500 test sats\*\*/)
    // One card that changes, the announcement of its early end, and one result.
    expect(stage.person('carol').conversation(stage.channel())).toHaveLength(3)
    expect(drawn.notifies.personIds).toEqual([stage.id('bob')])
    await stage.until('bob is paid', async () => (await stage.holds('service', 'wallet', 'bob')) === inWallet + 500)

    const [answer] = await stage.command('carol', 'giveaway verify', { giveaway: await pick(stage, 'carol', 'verify') })
    expect(must(answer).ephemeral).toBe(true)
    expect(textOf(must(answer))).toMatch(
      /The seed matches the fingerprint[\s\S]*could compute the winners beforehand[\s\S]*🎉 Bob[\s\S]*The seed[\s\S]*Published before the seed/,
    )
    const [pressed] = await stage.press('dave', await stage.sees('dave', /gives away/), 'Verify')
    expect(textOf(must(pressed))).toBe(textOf(must(answer)))
    const content = await fileOf(must(answer))
    const proof = JSON.parse(content) as DrawProof
    expect(faultsOfDraw(proof)).toEqual([])
    const beginning = (hash: string) => `\`${hash.slice(0, 20)}\``
    expect(textOf(must(card))).toContain(beginning(proof.commitment))
    // The channel sees the entrants before anything that the seed decides.
    const said = stage.world.emulator.requests().map(({ body }) => JSON.stringify(body) ?? '')
    const published = said.findIndex((body) => body.includes(beginning(proof.entrantsHash)))
    expect(published).toBeGreaterThan(0)
    expect(published).toBeLessThan(said.findIndex((body) => body.includes('won **500 test sats**')))
    // Only people who ask for the hashes and the seed are shown them.
    const open = stage.person('mod').conversation(stage.channel()).map(textOf).join('\n')
    for (const whole of [proof.seed, proof.commitment, proof.entrantsHash]) expect(open).not.toContain(whole)
    expect(verify(content)).toMatchObject({ status: 0, said: expect.stringContaining(proof.commitment) })
    expect(verify(content).said).toMatch(/No public beacon is in this draw/)
    expect(proof).toMatchObject({ version: 2, beacon: null, entrantsMessage: null })
    const altered = { ...proof, entrants: [...proof.entrants, { member: '1', interaction: '9'.repeat(19) }] }
    expect(verify(JSON.stringify(altered))).toMatchObject({ status: 1, said: expect.stringContaining('does not hold') })
    expect(verify('{"kind":"satchel-giveaway"}').status).toBe(1)
    expect(verify('no json').said).toMatch(/is not JSON/)
    // Control characters in the file never reach the terminal.
    const escapes = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e'
    const spoilt = [
      ...['giveaway', 'startedBy', 'startedAt', 'commitment', 'seed', 'prizeMsats', 'kind', escapes].map((name) => ({
        [name]: `1${escapes}`,
      })),
      ...['won', 'drawnAgain', 'entrants'].map((name) => ({ [name]: [escapes] })),
      { entrants: [{ member: escapes, interaction: '1' }] },
      { entrants: [{ member: '1', interaction: escapes }] },
      { kind: 'satchel-balance', member: `1${escapes}` },
    ].map((change) => JSON.stringify({ ...JSON.parse(content), ...change }))
    for (const each of [...spoilt, escapes, `{"a": ${escapes}`]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(verify(each).said, each).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    }
  })

  it('is neither offered for verification nor shown to people outside its channel', async () => {
    const stage = await openFundedStage()
    const { mods } = stage.world.cast.channels
    await stage.command('mod', 'balance')
    await stage.command('alice', 'tip', { to: stage.id('mod'), amount: '900' })
    const mod = stage.person('mod')
    await mod.run(mods, 'giveaway start', { prize: '500', winners: 1, duration: '1h' }).answered()
    await stage.world.settled()
    const giveaway = await pick(stage, 'mod', 'verify')
    const offered = await stage
      .person('carol')
      .autocomplete(stage.channel(), 'giveaway verify', { giveaway: '' }, 'giveaway')
    expect(offered).toEqual([])
    stage.mustSay(await stage.command('carol', 'giveaway verify', { giveaway }), /cannot find that giveaway/)
    const undrawn = await stage.command('mod', 'giveaway verify', { giveaway })
    stage.mustSay(undrawn, /no draw yet/)
    // Nothing was checked, so the title must not say so.
    expect(undrawn[0]?.embeds[0]?.title).toBe('Verify')
  })

  it('ends after a restart if it is overdue, and returns prizes that nobody won', async () => {
    const clock = new ShiftedClock()
    const stage = await openFundedStage(10_000, { clock })
    const [card] = await stage.command('alice', 'giveaway start', { prize: '100', winners: 3, duration: '2h' })
    await stage.world.bot.kill()
    await stage.world.bot.start()
    await stage.press('carol', must(card), 'Enter')
    await stage.press('dave', must(card), 'Enter')
    await stage.world.bot.kill()
    clock.shiftMs += 2 * 3_600_000
    await stage.world.bot.start()
    await stage.sees('bob', /won \*\*100 test sats\*\* each/)
    await stage.world.settled()
    for (const who of ['carol', 'dave']) expect(await balance(stage, who)).toBe(100)
    expect(await balance(stage)).toBe(9_800)
  })

  it('can require a role, be cancelled, and draw again for another prize', async () => {
    const clock = new ShiftedClock()
    const stage = await openFundedStage(10_000, { clock })
    const regulars = stage.world.emulator.world.servers()[0]?.roles.find(({ name }) => name === 'Regulars')?.id ?? ''
    const [strict] = await stage.command('alice', 'giveaway start', {
      ...{ prize: '50', winners: 1, duration: '30m' },
      ...{ role: regulars, 'min-age': 30 },
    })
    stage.mustSay(await stage.press('newcomer', must(strict), 'Enter'), /with the role/)
    stage.mustSay(await stage.press('carol', must(strict), 'Enter'), /with the role/)
    await stage.press('bob', must(strict), 'Enter')
    const giveaway = await pick(stage, 'alice', 'cancel')
    stage.mustSay(
      await stage.command('bob', 'giveaway cancel', { giveaway }),
      /Only the person who started this can do that/,
    )
    const asked = await stage.command('mod', 'giveaway cancel', { giveaway })
    const cancelling = stage.mustSay(asked, /Entered so far: 1\. Cancel this giveaway\?/)
    expect(await balance(stage)).toBe(9_950)
    await stage.press('mod', cancelling, 'Cancel the giveaway')
    await stage.sees('mod', /Cancelled\. 50 test sats went back/)
    expect(await balance(stage)).toBe(10_000)

    await stage.command('alice', 'giveaway start', { prize: '50', winners: 1, duration: '30m' })
    const empty = await pick(stage, 'alice', 'cancel')
    // Nobody loses a chance, so there is no question.
    const [ended] = await stage.command('alice', 'giveaway cancel', { giveaway: empty })
    expect(textOf(must(ended))).toMatch(/Cancelled\. 50 test sats went back/)

    const [card] = await stage.command('alice', 'giveaway start', { prize: '50', winners: 1, duration: '30m' })
    for (const who of ['carol', 'dave']) await stage.press(who, must(card), 'Enter')
    await endEarly(stage, clock)
    await stage.sees('bob', /won \*\*50 test sats\*\*/)
    const drawn = await pick(stage, 'alice', 'reroll')
    const [question] = await stage.command('alice', 'giveaway reroll', { giveaway: drawn })
    expect(textOf(must(question))).toMatch(
      /one more prize of \*\*50 test sats[\s\S]*You will have \*\*9,900 test sats\*\* left/,
    )
    // The question is free; its answer costs one more prize, however often it is given.
    expect(await balance(stage)).toBe(9_950)
    await stage.press('alice', must(question), 'Pay another prize')
    await stage.sees('bob', /Drawn again: @\w+ gets/)
    expect(await balance(stage)).toBe(9_900)
    expect([await balance(stage, 'carol'), await balance(stage, 'dave')]).toEqual([50, 50])
    stage.mustSay(await stage.command('alice', 'giveaway reroll', { giveaway: drawn }), /nobody left/)
  })
})
