import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import type { ExportReading } from '../engine/export-reading.ts'
import { BY_HAND } from '../engine/own-wallets/pay-by-hand.ts'

/** The most rows of each kind of record, newest first. */
const MAX_ROWS = 5_000

/**
 * The names of fields with secrets, with which a reader of the file could move sats, or impersonate the bot at the
 * provider.
 */
const SECRET = new Set([
  'key',
  'token',
  'body',
  'provider',
  'reply',
  'replays',
  'seed',
  'code',
  'walletRequest',
  'answer',
])

/**
 * The note on what is missing from the copy: the account that `/wallet` opens. The book does not even store who has
 * opened such an account, because the provider is asked each time.
 */
const NOT_HERE =
  'If you used /wallet, the Lightning service has an account under your Discord id, with a gamertag made from your name. ' +
  'What it holds and did is stored there; its page, which /wallet opens, shows it.'

/** Returns everything stored about a member, by kind of record. */
export async function exportData(context: ExportReading, member: string): Promise<Record<string, unknown>> {
  const { read } = context.database
  const mine = { where: { member }, take: MAX_ROWS, orderBy: { createdAt: 'desc' } } as const
  const take = MAX_ROWS
  const records = await readAll({
    settings: read.member.findMany({ where: { id: member } }),
    links: read.link.findMany(mine),
    tipsGiven: read.tip.findMany({
      where: { sender: member },
      take,
      orderBy: { createdAt: 'desc' },
      include: { shares: true },
    }),
    tipsReceived: read.tipShare.findMany({ where: { recipient: member }, take, include: { tip: true } }),
    ownWallet: read.walletConnection.findMany({ where: { member }, omit: { sealed: true } }),
    linksToConnectIt: read.walletPass.findMany({ where: { member }, omit: { hash: true, state: true, sealed: true } }),
    linkedRoles: read.roleConnection.findMany({ where: { member }, omit: { sealed: true } }),
    paidFromOwnWallet: read.walletPayment.findMany({ where: { sender: member }, take, orderBy: { createdAt: 'desc' } }),
    paidToOwnWallet: read.walletPayment.findMany({
      // Only its giver may know of an unpaid code.
      where: { recipient: member, NOT: { connection: BY_HAND, state: { not: 'paid' } } },
      take,
      orderBy: { createdAt: 'desc' },
      // Only the giver may know its source.
      omit: { connection: true },
    }),
    ...promisesOf(read, member),
    claims: read.claim.findMany(mine),
    payouts: read.payout.findMany(mine),
    paidAtTheEnd: read.windDownAttempt.findMany(mine),
    deposits: read.deposit.findMany(mine),
    requests: read.invoice.findMany(mine),
    // A reader of an open withdrawal's code could claim its sats.
    withdrawals: read.withdrawal.findMany({ ...mine, omit: { request: true } }),
    listedAddresses: read.addressLine.findMany(mine),
    vouchers: read.voucher.findMany(mine),
    batchesOfVouchers: read.voucherBatch.findMany(mine),
    redemptions: read.redemption.findMany(mine),
    drops: read.drop.findMany(mine),
    sharesOfDrops: read.dropClaim.findMany(mine),
    asks: read.ask.findMany(mine),
    giftsToAsks: read.askGift.findMany(mine),
    giveaways: read.giveaway.findMany({ where: { starter: member }, take }),
    giveawayEntries: read.giveawayEntry.findMany(mine),
    editsOfGiveaways: read.giveawayEdit.findMany(mine),
    prizes: read.giveawayWin.findMany(mine),
    prizesToClaim: read.giveawayClaim.findMany(mine),
    giftsToPools: read.poolGift.findMany(mine),
    fundraisers: read.fundraiser.findMany(mine),
    schedules: read.schedule.findMany({ where: { owner: member }, take }),
    rules: read.rule.findMany({ where: { owner: member }, take }),
    splits: read.split.findMany({ where: { member }, take, include: { parts: true } }),
    partsOfSplits: read.splitPart.findMany({ where: { recipient: member }, take }),
    apiKeys: read.apiKey.findMany({ where: { owner: member }, take, omit: { hash: true } }),
    webhooks: read.webhook.findMany({ where: { key: { owner: member } }, take }),
    ruleTrials: read.ruleTrial.findMany({ where: { recipient: member }, take }),
    rewards: read.reward.findMany({ where: rewardsOf(member), take }),
    addresses: read.address.findMany({ ...mine, include: { payments: true } }),
    messagesTipped: read.tippedMessage.findMany({ where: { author: member }, take }),
    tipsByInvoice: read.invoicedTip.findMany(mine),
    waitingForConfirmation: read.pendingTip.findMany(mine),
    operatorsPage: read.operatorPass.findMany({ where: { operator: member }, take, omit: { hash: true } }),
    passkeys: read.operatorPasskey.findMany({ where: { operator: member }, take, omit: { seal: true } }),
    presence: read.presence.findMany({ where: { member }, take }),
    moderation: read.moderationLogEntry.findMany({ where: { member }, take }),
  })
  const about = { exportedAt: now(context), discordId: member, amounts: 'msats: 1 sat is 1000', notHere: NOT_HERE }
  const exported = { ...about, ...records }
  return told(exported) as Record<string, unknown>
}

const rewardsOf = (member: string) => ({ OR: [{ requester: member }, { recipient: member }, { decider: member }] })

async function readAll(queries: Readonly<Record<string, Promise<unknown>>>): Promise<Record<string, unknown>> {
  return Object.fromEntries(await Promise.all(Object.entries(queries).map(async ([name, rows]) => [name, await rows])))
}

/** Converts values to JSON: amounts as decimal texts, times in ISO 8601, without secrets. */
function told(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(told)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inside]) => (SECRET.has(name) ? [] : [[name, told(inside)]])),
  )
}

function promisesOf(read: Pick<Tx, 'walletPromise'>, member: string) {
  const newest = { take: MAX_ROWS, orderBy: { createdAt: 'desc' } } as const
  // Only the giver may know a wallet's obstacles.
  const omit = { hindrance: true, accountSince: true } as const
  return {
    promisesGiven: read.walletPromise.findMany({ where: { sender: member }, ...newest }),
    promisesReceived: read.walletPromise.findMany({ where: { recipient: member }, omit, ...newest }),
  }
}
