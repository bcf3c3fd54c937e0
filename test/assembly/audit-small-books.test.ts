import { describe, expect, it } from 'vitest'
import { type AuditOptions, audit } from '../../src/assembly/audit/audit.ts'
import { isInUse } from '../../src/lib/database/sqlite/copy-databases.ts'
import { OPERATOR, WALLET } from '../../src/tipping/core/chart-of-accounts.ts'
import { PAUSE_ENDS } from '../../src/tipping/tipping.ts'
import { ScriptedNode } from '../payments-service/scripted-node.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { PROJECT, type SmallBooks, smallBooks } from './small-books.ts'

const clock = new ManualClock()
const AT = new Date(clock.now())

type InTheBox = Extract<AuditOptions['provider'], { kind: 'in the box' }>

function inTheBox(books: SmallBooks, change: Partial<InTheBox> = {}) {
  const provider = { kind: 'in the box' as const, database: books.payments, projectId: PROJECT, ...change }
  return audit({ tipping: books.tipping, provider, clock })
}

/**
 * Audits against a scripted remote provider; returns the report, and the addresses about which the provider was asked.
 */
function elsewhere(books: SmallBooks, wallet: bigint | string, ...paid: (bigint | undefined)[]) {
  const asked: unknown[] = []
  const askAddresses = async (addresses: unknown) => {
    asked.push(addresses)
    return paid.length === 0 ? 0n : paid[0]
  }
  const provider = { kind: 'elsewhere' as const, askWallet: async () => wallet, askAddresses }
  return audit({ tipping: books.tipping, provider, clock }).then((report) => ({ report, asked }))
}

/** Moves sats between the accounts of the wallet and the operator, as an entry would. */
const moved = (books: SmallBooks, kind: 'top-up' | 'loss', amount: number) =>
  books.spoil(
    'tipping.sqlite',
    `INSERT OR IGNORE INTO "Account" ("kind", "owner", "balance") VALUES ('${OPERATOR.kind}', '${OPERATOR.owner}', 0);
     UPDATE "Account" SET "balance" = "balance" ${kind === 'top-up' ? '+' : '-'} ${amount} WHERE "kind" = '${OPERATOR.kind}';
     UPDATE "Account" SET "balance" = "balance" ${kind === 'top-up' ? '-' : '+'} ${amount} WHERE "kind" = '${WALLET.kind}'`,
  )

describe('an audit of the books', () => {
  it('finds no fault and shows both books and the wallet’s expected and actual balance', async () => {
    const books = await smallBooks()
    const report = await inTheBox(books)
    expect(report).toEqual({
      ...{ holds: true, at: AT, node: undefined, paused: [], findings: [] },
      cover: { expected: 5_000n, mayHaveLeft: 0n, mayHaveArrived: 0n, wallet: 5_000n },
      books: [
        { side: 'bot', file: `${books.folder}/tipping.sqlite`, proof: expect.anything(), open: [], findings: [] },
        { side: 'service', file: `${books.folder}/payments.sqlite`, proof: expect.anything(), open: [], findings: [] },
      ],
    })
    expect(report.books[0]?.proof).toMatchObject({ accounts: 2, entries: 1, moves: 1, totals: { member: 5_000n } })
    expect(report.books[1]?.proof).toMatchObject({ holds: true, totals: { wallet: 5_000n, node: -5_000n } })
    for (const name of ['tipping', 'payments']) expect(isInUse(`${books.folder}/${name}.sqlite`), name).toBe(false)
  })

  it('fails and closes the bot’s book if the service’s book is missing', async () => {
    const books = await smallBooks()
    await expect(inTheBox(books, { database: `file:${books.folder}/none.sqlite` })).rejects.toThrow('no database at')
    expect(isInUse(`${books.folder}/tipping.sqlite`)).toBe(false)
  })

  it('reports no wallet balance if only one book is audited', async () => {
    const books = await smallBooks()
    await books.bot((tx) => tx.outgoingPause.create({ data: { source: 'operator', reason: 'a look', since: AT } }))
    const provider = { kind: 'in the box' as const, database: books.payments, projectId: undefined }
    const service = await audit({ tipping: undefined, provider, clock })
    expect(service).toMatchObject({ holds: true, cover: undefined, node: undefined, paused: [], findings: [] })
    expect(service.books.map(({ side }) => side)).toEqual(['service'])
    const bot = await audit({ tipping: books.tipping, provider: { kind: 'unasked' }, clock })
    expect(bot).toMatchObject({ holds: true, cover: { wallet: undefined }, findings: [] })
    expect(bot.paused).toEqual([`operator: a look. ${PAUSE_ENDS.operator}`])
    expect(bot.books.map(({ side }) => side)).toEqual(['bot'])
  })

  it('names the pauses that are in force', async () => {
    const books = await smallBooks()
    const ended = { source: 'cover', reason: 'it did not hold', since: AT, until: AT }
    const goOn = [
      { source: 'operator', reason: 'a look', since: AT },
      { source: 'restore', reason: 'not proven', since: AT },
    ]
    await books.bot((tx) => tx.outgoingPause.createMany({ data: [ended, ...goOn] }))
    expect((await inTheBox(books)).paused).toEqual([
      `operator: a look. ${PAUSE_ENDS.operator}`,
      `restore: not proven. ${PAUSE_ENDS.restore}`,
    ])
  })

  it('explains a missing project, and counts a project without an account as empty', async () => {
    const books = await smallBooks()
    const nobody = await inTheBox(books, { projectId: undefined })
    expect(nobody.holds).toBe(false)
    expect(nobody.cover?.wallet).toBeUndefined()
    expect(nobody.findings).toEqual([
      {
        ...{ side: 'bot', operation: undefined },
        what: 'The wallet could not be asked: own-project.json, which names the bot’s project, is not in the data folder',
        advice:
          'Start the provider, or check PAYMENTS_BASE_URL and PAYMENTS_API_KEY. Only half of the audit was possible.',
      },
    ])
    // A project that has received nothing has no account.
    const empty = await inTheBox(books, { projectId: 'project-2' })
    expect(empty.cover?.wallet).toBe(0n)
    expect(empty.findings).toMatchObject([
      {
        what: 'The provider’s wallet holds 0 sats, 5 less than the bot’s book accounts for',
        advice: expect.stringMatching(
          /^Withdrawals are paused .*payments that the bot does not know.*“After a restore”/,
        ),
      },
    ])
  })

  it('reports an unreadable book, and then checks neither the wallet nor the node', async () => {
    const books = await smallBooks()
    const node = { backend: new ScriptedNode(clock), liquidityAlertPercent: 100 }
    node.backend.health = () => Promise.reject(new Error('nobody asks for it'))
    books.spoil('payments.sqlite', `DELETE FROM "_prisma_migrations"`)
    const report = await inTheBox(books, { node })
    const unread = { ...{ side: 'service', file: `${books.folder}/payments.sqlite` }, proof: undefined, open: [] }
    expect(report.books[1]).toMatchObject(unread)
    expect(report.books[1]?.findings).not.toEqual([])
    for (const finding of report.books[1]?.findings ?? []) {
      expect(finding).toMatchObject({ side: 'service', operation: undefined })
      expect(finding.advice).toBe('Stop this side and follow the sentence above. The audit changed nothing.')
    }
    expect(report.node).toBeUndefined()
    expect(report.findings.at(-1)?.what).toBe('The wallet could not be asked: the service’s database cannot be read')
    books.spoil('tipping.sqlite', `DELETE FROM "_prisma_migrations"`)
    expect(await inTheBox(books)).toMatchObject({ cover: undefined, paused: [], holds: false })
    const alone = await audit({ tipping: books.tipping, provider: { kind: 'unasked' }, clock })
    expect(alone.findings).toEqual(alone.books[0]?.findings)
  })

  it('includes the node if the service has one', async () => {
    const books = await smallBooks()
    const backend = new ScriptedNode(clock)
    const healthy = await inTheBox(books, { node: { backend, liquidityAlertPercent: 0 } })
    expect(healthy.node).toMatchObject({ kind: backend.kind, comparison: { booked: 5_000n } })
    backend.health = async () => ({ state: 'away', reason: 'Start it.', mend: 'Start it.' }) as never
    const away = await inTheBox(books, { node: { backend, liquidityAlertPercent: 0 } })
    expect(away.node).toEqual({
      ...{ kind: backend.kind, comparison: undefined, notes: [] },
      findings: [
        {
          ...{ side: 'service', operation: undefined, what: 'The Lightning node cannot be used: Start it.' },
          advice: 'Fix that first. The book alone was audited.',
        },
      ],
    })
    expect(away.findings).toEqual(away.node?.findings)
  })

  it('names the damaged book, its fault, and the remedy', async () => {
    const books = await smallBooks()
    books.spoil('payments.sqlite', `UPDATE "Account" SET "balance" = "balance" + 7 WHERE "kind" = 'wallet'`)
    const { findings } = await inTheBox(books)
    expect(findings).toContainEqual({
      ...{ side: 'service', operation: undefined },
      what: `wallet project:${PROJECT} shows 5007 msats, but its moves make 5000`,
      advice: expect.stringMatching(/^Somebody changed a balance .* by hand\. Stop this side, keep a copy .*restore/),
    })
    expect(findings.at(-1)).toMatchObject({
      what: 'The provider’s wallet holds 5.007 sats, 0.007 more than the bot’s book accounts for',
      advice: expect.stringMatching(/^No sats are in danger\..*to suspense\./),
    })
    const other = await smallBooks()
    other.spoil('tipping.sqlite', 'DROP TRIGGER "Move_no_delete"; DELETE FROM "Move"')
    const lost = (await inTheBox(other)).findings
    expect(lost).toContainEqual({
      ...{ side: 'bot', operation: undefined },
      what: expect.stringContaining('has no moves'),
      advice: expect.stringMatching(/^Somebody or something changed the database behind the program\. Stop both sides/),
    })
  })

  it('names an operation whose sats no open record explains', async () => {
    const books = await smallBooks()
    books.spoil('payments.sqlite', `UPDATE "Account" SET "kind" = 'in_flight' WHERE "kind" = 'wallet'`)
    const held = (await inTheBox(books)).findings.find(({ advice }) => advice.startsWith('Do not refund by hand. Keep'))
    expect(held).toMatchObject({
      side: 'service',
      operation: 'fund',
      what: expect.stringContaining('5000 msats for fund'),
    })
  })
})

describe('an audit of the bot’s book against the wallet', () => {
  it('finds a difference of 1 msat between the wallet and the book', async () => {
    const books = await smallBooks()
    expect((await elsewhere(books, 5_000n)).report.findings).toEqual([])
    const short = await elsewhere(books, 4_999n)
    expect(short.report).toMatchObject({ holds: false, cover: { wallet: 4_999n } })
    expect(short.report.findings).toMatchObject([
      { what: 'The provider’s wallet holds 4.999 sats, 0.001 less than the bot’s book accounts for' },
    ])
    const surplus = await elsewhere(books, 5_001n)
    expect(surplus.report.findings).toMatchObject([
      { side: 'bot', what: 'The provider’s wallet holds 5.001 sats, 0.001 more than the bot’s book accounts for' },
    ])
    const silent = await elsewhere(books, 'it does not answer')
    expect(silent.report.findings).toMatchObject([{ what: 'The wallet could not be asked: it does not answer' }])
    // Addresses are requested only if there is too much.
    expect([short, surplus, silent].map(({ asked }) => asked)).toEqual([[], [[]], []])
  })

  it('allows for uncredited payments to addresses if the provider reports them', async () => {
    const books = await smallBooks()
    await books.bot((tx) => tx.address.createMany({ data: ADDRESSES }))
    const { report, asked } = await elsewhere(books, 5_300n, 300n)
    expect(report.findings).toEqual([])
    expect(report.cover).toMatchObject({ mayHaveArrived: 300n })
    expect(asked).toEqual([[{ chargeId: 'charge-1', credited: 2 }]])
    const more = await elsewhere(books, 5_301n, 300n)
    expect(more.report.findings).toMatchObject([{ what: expect.stringContaining('5.301 sats, 0.001 more') }])
    // Nobody knows the wallet, so nobody is blamed.
    const unknown = await elsewhere(books, 5_301n, undefined)
    expect(unknown.report.findings).toEqual([])
    expect(unknown.report.cover).toMatchObject({ mayHaveArrived: 0n })
  })

  it('allows for uncredited payments that it finds in the bundled service’s book', async () => {
    const books = await smallBooks()
    await books.bot((tx) => tx.address.createMany({ data: ADDRESSES }))
    const slot = (staticChargeId: string, slot: number, amount: bigint) => ({
      ...{ id: `${staticChargeId}-${slot}`, paymentHash: `${staticChargeId}-${slot}`, comment: '', settledAt: AT },
      ...{ staticChargeId, slot, amount },
    })
    const [seen, unseen] = [[slot('charge-1', 1, 1_000n), slot('charge-1', 2, 2_000n)], [slot('charge-1', 3, 100n)]]
    const others = [slot('charge-9', 3, 50n)]
    await books.service((tx) =>
      tx.staticChargePayment.createMany({ data: [...seen, ...unseen, slot('charge-1', 4, 200n), ...others] }),
    )
    books.spoil('payments.sqlite', `UPDATE "Account" SET "balance" = "balance" + 300 WHERE "kind" = 'wallet'`)
    const { cover, findings } = await inTheBox(books)
    expect(cover).toEqual({ expected: 5_000n, mayHaveLeft: 0n, mayHaveArrived: 300n, wallet: 5_300n })
    expect(findings.filter(({ side }) => side === 'bot')).toEqual([])
  })

  it('reports no surplus in the wallet before the bot begins its book', async () => {
    const books = await smallBooks()
    books.spoil('tipping.sqlite', 'DELETE FROM "Opening"')
    const { report } = await elsewhere(books, 9_000n)
    expect(report.findings).toEqual([])
    expect(report.cover).toMatchObject({ expected: 5_000n, wallet: 9_000n })
  })

  it('warns if the operator’s account is below 0, but not if it is empty', async () => {
    const books = await smallBooks()
    moved(books, 'loss', 0)
    expect((await elsewhere(books, 5_000n)).report.findings).toEqual([])
    moved(books, 'loss', 1)
    const { report } = await elsewhere(books, 4_999n)
    expect(report.findings.at(-1)).toMatchObject({
      ...{ side: 'bot', what: 'The operator’s account stands at -0.001 sats: not all is covered' },
      advice: expect.stringMatching(/^Fees or losses used up .*\/admin book .*\/admin suspense without a member\.$/),
    })
  })
})

/** The rows of an address that has been paid, and of one that the provider has not created yet. */
const ADDRESSES = [
  { id: '1', state: 'live', address: 'alice@pay.example.org', chargeId: 'charge-1', request: 'lnurl1', credited: 2 },
  { id: '2', state: 'creating', address: null, chargeId: null, request: null, credited: 0 },
].map((address) => ({
  ...{ member: 'alice', name: `alice-${address.id}`, least: 1_000n, most: 9_000n, key: address.id, token: address.id },
  ...{ body: '{}', provider: 'here', createdAt: AT, ...address },
}))
