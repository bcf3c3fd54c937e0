import { sats, ZERO } from '../../src/lib/money/amount.ts'
import type {
  AlertView,
  Audit,
  BalanceView,
  Card,
  CardKind,
  ClaimView,
  DepositView,
  InvoiceCommand,
  InvoiceView,
  Link,
  NodeState,
  Origin,
  OwnWallets,
  StatusView,
  TipCommand,
  Tipping,
  TipShare,
  TipView,
} from '../../src/tipping/tipping.ts'
import { ALONE } from './alone-on-its-book.ts'
import { FakeCards } from './fake-cards.ts'
import { FakePreferences } from './fake-preferences.ts'
import { FakeShards } from './fake-shards.ts'
import { neverInvoiced } from './never-invoiced.ts'
import { NO_LINKED_ROLES } from './no-linked-roles.ts'
import { NO_OWN_WALLETS } from './no-own-wallets.ts'
import { NO_API_KEYS, NO_EVENTS, NO_RULES, NO_SCHEDULES, NO_SPLITS, NO_WIND_DOWN } from './no-rules.ts'
import { NO_VOUCHER_BATCHES } from './no-voucher-batches.ts'

const NO_NEWS = { pauses: [], unknown: [], audits: [], alerts: [], suspense: ZERO, operator: ZERO }

/**
 * Tipping's API with no money behind it, to test what the front shows and calls. The test decides the views; the cards
 * behave as `cards.ts` promises. The fake outlives a bot, so a test can start another bot on what the first one left.
 */
export class FakeTipping implements Tipping {
  testMoney = false
  holdsSats = true
  offers = { pays: false, names: false, receives: false }
  ownOffer: string | undefined
  readonly cards = new FakeCards()
  readonly shards = new FakeShards()
  readonly callBudget = ALONE
  /** Every call of a verb, with its arguments. */
  readonly asked: { readonly verb: string; readonly command: unknown }[] = []
  /** The error that the next verb throws instead of running. */
  failure: unknown
  /** The promise for which the verbs wait before they do anything … */
  before: Promise<void> = Promise.resolve()
  /** … and the one for which they wait once their record and its card exist. */
  after: Promise<void> = Promise.resolve()
  /** The first state of each recipient's share. */
  readonly states = new Map<string, TipShare['state']>()
  /** The members' holdings, by member. */
  readonly holdings = new Map<string, Partial<BalanceView>>()
  linked = new Map<string, Link>()
  ownWallets: OwnWallets = NO_OWN_WALLETS
  linkedRoles = NO_LINKED_ROLES
  announcements: Tipping['announcements'] = { note: async () => 'note', end: async () => {} }
  windDown = NO_WIND_DOWN
  voucherBatches = NO_VOUCHER_BATCHES
  walletPage = 'https://pay.example.org/wallet'
  readonly #views = new Map<string, TipView | ClaimView | DepositView | InvoiceView>()

  async #link({ member, gamertag }: { member: string; gamertag: string }): Promise<Link> {
    await this.#asked('link', { member, gamertag })
    this.linked.set(member, { lightningId: `user-${gamertag}`, gamertag })
    return { lightningId: `user-${gamertag}`, gamertag }
  }

  async #unlink({ member }: { member: string }): Promise<Link> {
    await this.#asked('unlink', { member })
    const link = this.linked.get(member)
    this.linked.delete(member)
    return link ?? { lightningId: 'none', gamertag: 'none' }
  }

  async #balance(member: string): Promise<BalanceView> {
    await this.#asked('balance', { member })
    const nothing = { available: ZERO, inFlight: ZERO, unclaimed: undefined, waitingForOthers: ZERO, openDeposits: [] }
    const sent = { forwarding: undefined, keepHere: ZERO, sentToGamertag: ZERO, unpaidTips: [] }
    return { ...nothing, ...sent, link: this.linked.get(member), ...this.holdings.get(member) }
  }

  forwarding = {
    start: (command: unknown): Promise<never> => this.#notFaked('forwarding-start', command),
    keep: (command: unknown): Promise<never> => this.#notFaked('forwarding-keep', command),
  }

  readonly #tips = new Map<string, TipView>()

  /** Makes a tip, but only one for each interaction. */
  async #tip(command: TipCommand): Promise<TipView> {
    const { interaction } = command.origin
    const given = this.#tips.get(interaction) ?? (await this.#giveTip(command))
    this.#tips.set(interaction, given)
    return given
  }

  async #giveTip(command: TipCommand): Promise<TipView> {
    await this.#asked('tip', command)
    const amount = sats(BigInt(command.amount))
    const shares = command.to.map(
      ({ id }): TipShare => ({ recipient: id, amount, state: this.states.get(id) ?? 'credited', until: soon }),
    )
    const { from, note = '', origin } = command
    const total = sats(BigInt(shares.length) * (amount / 1000n))
    const about = { from, note, total, shares, fromPool: false, join: undefined, createdAt: new Date(0) }
    const { channel, interaction: key } = origin
    return this.#record('tip', { channel }, origin, (id, card) => ({ id, key, card, ...about }))
  }

  /** The members for whom sats wait. */
  readonly waiting = new Set<string>()

  async #claim({ member, origin }: { member: string; origin: Origin }): Promise<ClaimView> {
    await this.#asked('claim', { member })
    const amount = sats(250)
    return this.#record('claim', { member }, origin, (id, card) => {
      return { id, card, member, amount, shares: [{ from: '1', amount }], state: 'credited' }
    })
  }

  async #deposit({ member, amount, origin }: { member: string; amount: string; origin: Origin }): Promise<DepositView> {
    await this.#asked('deposit', { member, amount })
    return this.#record('deposit', { member }, origin, (id, card) => {
      return { id, card, member, amount: sats(BigInt(amount)), state: 'open', request: 'LNURL1DP68GURN8GHJ7MR' }
    })
  }

  async #invoice(command: InvoiceCommand): Promise<InvoiceView> {
    await this.#asked('invoice', command)
    const { member, amount, description = '', origin } = command
    return this.#record('invoice', { channel: origin.channel }, origin, (id, card): InvoiceView => {
      const what = { amount: sats(BigInt(amount)), description, gamertag: 'bob_ln' }
      return { id, card, member, ...what, state: 'open', request: 'lnbcrt1invoice', expiresAt: soon }
    })
  }

  readonly links: Tipping['links'] = {
    openWallet: async ({ member, name }: { member: string; name: string }) => {
      await this.#asked('openWallet', { member, name })
      const url = `${this.walletPage}/sign-in?token=secret`
      return { url, until: new Date(), gamertag: name, isNew: true, isLinked: this.linked.has(member) }
    },
    ownAccount: async ({ name }) => ({ lightningId: 'own', gamertag: name }),
    linkOwnAccount: ({ member, name }: { member: string; name: string }) => this.#link({ member, gamertag: name }),
    isLinked: async () => true,
    link: async (command) => ({ ...(await this.#link(command)), proven: true }),
    unlink: (command) => this.#unlink(command),
    release: (command) => this.#notFaked('release', command),
    endedLink: (id) => this.#notFaked('ended link', id),
  }

  readonly balances: Tipping['balances'] = {
    view: (member) => this.#balance(member),
    available: async (member) => this.holdings.get(member)?.available ?? ZERO,
  }

  readonly tips: Tipping['tips'] = {
    send: (command) => this.#tip(command),
    ask: (command) => this.#tip(command),
    confirm: (command) => this.#notFaked('confirm-tip', command),
    sendFromPool: (command) => this.#notFaked('tip-from-pool', command),
    ...{ join: (command) => this.#notFaked('tip-join', command), view: (id) => this.#view(id) },
    receipt: () => Promise.reject(new Error('a fake tells no recipients')),
  }

  readonly claims: Tipping['claims'] = {
    hasUnclaimed: async (member) => this.waiting.has(member),
    take: (command) => this.#claim(command),
    view: (id) => this.#view(id),
  }

  readonly deposits: Tipping['deposits'] = {
    open: (command) => this.#deposit(command),
    view: (id) => this.#view(id),
    toPay: (id) => this.#view(id),
  }

  readonly invoices: Tipping['invoices'] = { create: (command) => this.#invoice(command), view: (id) => this.#view(id) }

  /** Changes a record's view, and marks its card to be drawn again. Returns the new view. */
  change<View extends TipView | ClaimView | DepositView | InvoiceView>(view: View, change: Partial<View>): View {
    const changed = { ...view, ...change }
    this.#views.set(view.id, changed)
    this.cards.raise(view.card)
    return changed
  }

  guildOf: Tipping['guildOf'] = () => Promise.resolve(undefined)
  fiatValue = () => undefined
  inSats: Tipping['inSats'] = () => undefined
  dryRun: Tipping['dryRun'] = () => Promise.resolve('goes')

  readonly addresses: Tipping['addresses'] = {
    offered: true,
    take: (command) => this.#notFaked('address', command),
    offer: (command) => this.#asked('own-offer', command).then(() => this.ownOffer),
    mine: () => Promise.resolve([]),
    arrival: (id) => this.#view(id),
  }

  readonly vouchers: Tipping['vouchers'] = {
    offered: true,
    create: (command) => this.#notFaked('voucher', command),
    redeem: (command) => this.#notFaked('redeem', command),
    revoke: (command) => this.#notFaked('revoke', command),
    view: (id) => this.#view(id),
    toAnyWallet: (command) => this.#notFaked('voucher-to-any-wallet', command),
    createFromPool: (command) => this.#notFaked('voucher-from-pool', command),
    status: (command) => this.#notFaked('voucher-status', command),
    mine: () => Promise.resolve([]),
    redemption: (id) => this.#view(id),
  }

  readonly drops: Tipping['drops'] = {
    open: (command) => this.#notFaked('drop', command),
    ask: (command) => this.#notFaked('drop', command),
    confirm: (word) => this.#notFaked('drop-confirm', word),
    openFromPool: (command) => this.#notFaked('drop-from-pool', command),
    claim: (command) => this.#notFaked('drop-claim', command),
    close: (command) => this.#notFaked('drop-close', command),
    mine: () => Promise.resolve([]),
    view: (id) => this.#view(id),
    claimView: (id) => this.#view(id),
  }

  readonly messageTips: Tipping['messageTips'] = {
    tip: (command) => this.#notFaked('tip-message', command),
    ask: (command) => this.#notFaked('tip-message', command),
    react: (command) => this.#notFaked('react', command),
    view: (id) => this.#view(id),
  }

  readonly invoicedTips = neverInvoiced(this)
  readonly pools: Tipping['pools'] = {
    view: () => Promise.resolve({ available: sats(77), reserved: ZERO, budgets: [], open: [] }),
    fund: (command) => this.#notFaked('fund', command),
    give: (command) => this.#notFaked('give', command),
    giveTo: (command) => this.#notFaked('give-to', command),
    ask: (command) => this.#notFaked('give', command),
    askTo: (command) => this.#notFaked('give-to', command),
    confirm: (word) => this.#notFaked('give-confirm', word),
    fundraise: (command) => this.#notFaked('fundraise', command),
    fundraiser: (id) => this.#view(id),
    closeFundraiser: (command) => this.#notFaked('fundraiser-close', command),
    budget: (command) => this.#notFaked('budget', command),
    history: () => Promise.resolve([]),
    export: (command) => this.#notFaked('export', command),
  }

  readonly rewards: Tipping['rewards'] = {
    give: (command) => this.#notFaked('reward', command),
    approve: (command) => this.#notFaked('approve', command),
    deny: (command) => this.#notFaked('deny', command),
    readList: (command) => this.#notFaked('read-list', command),
    confirmList: (word) => this.#notFaked('confirm-list', word),
    listOutcomes: () => Promise.resolve([]),
    view: (id) => this.#view(id),
  }
  readonly apiKeys = NO_API_KEYS
  readonly serverEvents = NO_EVENTS
  readonly rules = NO_RULES
  readonly schedules = NO_SCHEDULES
  readonly splits = NO_SPLITS
  readonly privacy: Tipping['privacy'] = {
    export: (member) => this.#notFaked('privacy', member),
    open: (member) => this.#notFaked('privacy', member),
    forget: (member) => this.#notFaked('privacy', member),
  }

  readonly faucet: Tipping['faucet'] = { amount: undefined, take: (command) => this.#notFaked('faucet', command) }

  readonly history: Tipping['history'] = {
    page: async (member) => ({ lines: [], balance: this.holdings.get(member)?.available ?? ZERO, hasOlder: false }),
    ...{ export: async () => [], operations: async () => [] },
    receipt: (command) => this.#notFaked('receipt', command),
  }

  readonly insights: Tipping['insights'] = {
    drops: () => Promise.resolve([]),
    ...{ changes: async () => [], anonymousTips: async () => ({ tips: [], isMore: false }) },
    ...{ recap: (id) => this.#notFaked('recap', id), changeOfCard: (id) => this.#notFaked('change', id) },
    leaderboard: (guild) => this.#notFaked('leaderboard', guild),
    stats: (guild) => this.#notFaked('stats', guild),
  }

  readonly preferences = new FakePreferences()
  readonly rain: Tipping['rain'] = {
    heard: () => undefined,
    fall: (command) => this.#notFaked('rain', command),
    ask: (command) => this.#notFaked('rain', command),
    fallFromPool: (command) => this.#notFaked('rain-from-pool', command),
  }

  readonly asks = this.#noneFaked<Tipping['asks']>('ask')
  readonly giveaways = this.#noneFaked<Tipping['giveaways']>('giveaway', {
    view: (id) => this.#view(id),
    rerollView: (id) => this.#view(id),
    list: () => Promise.resolve([]),
  })

  /** The alerts that operators have not seen. */
  readonly alerts: AlertView[] = []
  status: StatusView = { proven: undefined, inFlight: { count: 0, oldestSince: undefined }, paused: undefined }
  node: NodeState | undefined
  readonly administration: Tipping['administration'] = {
    status: () => Promise.resolve(this.status),
    whyNotReady: () => Promise.resolve(undefined),
    believesClock: () => true,
    node: () => Promise.resolve(this.node),
    overview: () => Promise.resolve({ status: this.status, node: this.node, ending: undefined, ...NO_NEWS }),
    movement: () => Promise.resolve({ days: [], points: [] }),
    signIns: {
      ...{ invite: async () => 'A'.repeat(43), begin: async () => 'A'.repeat(43), useForm: async () => false },
      ...{ signIn: async () => undefined, find: async () => undefined, signOut: async () => undefined },
      ...{ challenge: async () => 'A'.repeat(43), useChallenge: async () => false },
    },
    passkeys: this.#noneFaked<Tipping['administration']['passkeys']>('passkey'),
    balanceProof: (member) => this.#notFaked('balance-proof', member),
    audit: () => this.#notFaked('audit', {}),
    unknown: () => Promise.resolve([]),
    decide: (command) => this.#notFaked('decide', command),
    book: (command) => this.#notFaked('book', command),
    pause: (command) => this.#asked('pause', command),
    resume: async (command) => {
      await this.#asked('resume', command)
      return undefined
    },
    ...{ tellOfNode: async () => {}, tellOfOperator: async () => {} },
    ...{ proposals: async () => [], pools: async () => [] },
    cancel: () => Promise.resolve(),
    untoldAlerts: () => Promise.resolve([...this.alerts]),
    alertTold: async (id) => {
      this.alerts.splice(0, this.alerts.length, ...this.alerts.filter((alert) => alert.id !== id))
    },
  }

  readonly withdrawals: Tipping['withdrawals'] = {
    ask: (command) => this.#withdrawal('withdraw', command),
    askToMove: (command) => this.#withdrawal('move', command),
    confirm: (command) => this.#withdrawal('confirm', command),
    cancelCode: async () => 'cancelled',
    cancel: (command) => this.#withdrawal('cancel', command),
    pay: (command) => this.#withdrawal('pay', command),
    view: () => Promise.reject(new Error('a fake sends nothing')),
  }

  hint = (): Promise<'unknown'> => Promise.resolve('unknown')
  audit = (): Promise<Audit> => Promise.reject(new Error('a fake has no books'))
  settled = () => Promise.resolve()
  close = () => Promise.resolve()

  /** Returns a noun of which only the given verbs work. */
  #noneFaked<T extends object>(noun: string, faked: Partial<T> = {}): T {
    const verbOf = (verb: PropertyKey) => (about: unknown) => this.#notFaked(`${noun}-${String(verb)}`, about)
    return new Proxy(faked as T, { get: (verbs, verb) => Reflect.get(verbs, verb) ?? verbOf(verb) })
  }

  async #notFaked(verb: string, command: unknown): Promise<never> {
    await this.#asked(verb, command)
    throw new Error(`a fake knows no ${verb}`)
  }

  async #withdrawal(verb: string, command: unknown): Promise<never> {
    await this.#asked(verb, command)
    throw new Error('a fake sends nothing')
  }

  async #asked(verb: string, command: unknown): Promise<void> {
    this.asked.push({ verb, command })
    await this.before
    const { failure } = this
    this.failure = undefined
    if (failure !== undefined) throw failure
  }

  async #record<View extends TipView | ClaimView | DepositView | InvoiceView>(
    kind: CardKind,
    audience: Card['audience'],
    origin: Origin,
    make: (id: string, card: string) => View,
  ): Promise<View> {
    const card = this.cards.create(kind, `record-${this.#views.size + 1}`, audience, origin)
    const view = make(card.record, card.id)
    this.#views.set(view.id, view)
    await this.after
    return view
  }

  #view<View>(id: string): Promise<View> {
    const view = this.#views.get(id)
    return view === undefined ? Promise.reject(new Error(`no record ${id}`)) : Promise.resolve(view as View)
  }
}

const soon = new Date(Date.UTC(2030, 0, 8))
