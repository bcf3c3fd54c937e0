import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openOperations, proofAfterStorm } from '../../proof/kills/proof.ts'
import { openDepositsIn, Traffic } from '../../proof/kills/traffic.ts'
import { Chance } from '../../proof/world/chance.ts'
import { disksCanFail } from '../../proof/world/processes/failing-disk.ts'
import { createStage, type Stage } from '../../proof/world/processes/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'

const A_SAT = 1_000n

let stage: Stage
let traffic: Traffic

/** Opens the books, reads from them, and closes them again. */
function look<T>(read: (evidence: ReturnType<Stage['look']>) => T): T {
  const evidence = stage.look()
  try {
    return read(evidence)
  } finally {
    evidence.close()
  }
}

/** Returns Bob's sats, in his balance and in his wallet; with his link, each tip is paid out to the wallet. */
const bobs = () =>
  look(({ botBook, serviceBook, users }) => ({
    balance: botBook.balance('member', traffic.id('bob')) + botBook.balance('held', traffic.id('bob')),
    wallet: serviceBook.balance('wallet', `user:${users[1]}`),
  }))

/** Makes a disk fail from alice's tip onwards, until the process ends by itself or is killed. */
async function tipWhileFailing(side: 'bot' | 'service', file: string) {
  const disk = stage.disks?.[side]
  disk?.fail(file)
  const answer = traffic.command('alice', 'tip', { to: traffic.id('bob'), amount: '1000' }).then(
    ({ messages }) => messages.map(textOf).join(),
    (error: Error) => error.message,
  )
  const ended = await stage[side].endsByItself(10_000)
  if (ended === undefined) await stage[side].kill()
  // What cannot be synced is told to nobody, so nothing starts on it.
  await expect(stage[side].start()).rejects.toThrow(/ended with 1 .*could not be opened: the disk is full or failing/s)
  disk?.heal()
  await stage[side].start()
  await expect.poll(() => look(openOperations), { timeout: 30_000, interval: 200 }).toEqual([])
  return { ended, answer: await answer }
}

// Without Linux and a C compiler no disk can be made to fail.
describe.skipIf(!disksCanFail())('a disk that fails at the sync of a COMMIT', { timeout: 90_000 }, () => {
  beforeEach(async () => {
    stage = await createStage({ sickDisks: true })
    await stage.service.start()
    await stage.bot.start()
    const evidence = stage.look()
    traffic = new Traffic(stage, new Chance('failing commits'), { openDeposits: openDepositsIn(evidence) })
    for (const who of ['alice', 'bob']) await traffic.command(who, 'link', { wallet: who })
    await traffic.command('alice', 'deposit', { amount: '20000' })
    const [charge] = evidence.botBook.rows<{ request: string }>('SELECT "request" FROM "Deposit"')
    await stage.phone.pay(charge?.request ?? '')
    const alice = traffic.id('alice')
    await expect.poll(() => evidence.botBook.balance('member', alice), { timeout: 30_000 }).toBe(20_000n * A_SAT)
    // The service notes that it has told the bot: otherwise that may be the COMMIT that fails, before anything is paid
    // out.
    const untold = () => evidence.serviceBook.rows('SELECT "id" FROM "Callback" WHERE "deliveredAt" IS NULL')
    await expect.poll(untold, { timeout: 30_000 }).toEqual([])
    // A process that has a database open keeps its log's index, and then nobody recovers what a COMMIT left in the log.
    evidence.close()
  })

  afterEach(() => stage.close())

  it('ends the service without an answer, and the payout exists once at the next start', async () => {
    const { ended } = await tipWhileFailing('service', '/payments.sqlite-wal')
    expect(bobs()).toEqual({ balance: 0n, wallet: 1_000n * A_SAT })
    expect(look(proofAfterStorm)).toEqual([])
    expect(ended).toEqual({
      code: 1,
      lastWords: expect.stringMatching(/payments\.sqlite.*nobody gets an answer.*start again/s),
    })
  })

  it('ends the bot without an answer, and the tip exists once or not at all', async () => {
    const { ended, answer } = await tipWhileFailing('bot', '/tipping.sqlite-wal')
    // By Discord, by nobody, or by the next start.
    expect(answer).toMatch(/^The application did not respond$|^nobody answers$|tipped/)
    const { balance, wallet } = bobs()
    // The COMMIT that failed may have been an earlier one, so that the tip never came about.
    const come = answer.includes('tipped') ? [1_000n * A_SAT] : [0n, 1_000n * A_SAT]
    expect(come).toContain(balance + wallet)
    expect(look(proofAfterStorm)).toEqual([])
    expect(ended).toEqual({
      code: 1,
      lastWords: expect.stringMatching(/tipping\.sqlite.*nobody gets an answer.*start again/s),
    })
  })
})
