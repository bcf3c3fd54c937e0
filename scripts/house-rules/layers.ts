/**
 * The layers of parts, as data; docs/ARCHITECTURE.md explains the purpose of each layer. A room is a folder or a file
 * at the top of its part. Every room is listed once. A room imports only its own layer and the layers below.
 */
export interface Layer {
  readonly name: 'core' | 'engine' | 'nouns' | 'views' | 'API'
  readonly rooms: readonly string[]
  /**
   * The rooms that may import others of this layer, each with the rooms of which it is composed. Otherwise, the rooms
   * of a layer are connected only through the layers below.
   */
  readonly apart?: Readonly<Record<string, readonly string[]>>
}

/** The layers of each part, from the lowest to the highest. */
export const LAYERS: Readonly<Record<string, readonly Layer[]>> = {
  'src/tipping': [
    { name: 'core', rooms: ['core', 'generated'] },
    { name: 'engine', rooms: ['engine'] },
    {
      name: 'nouns',
      rooms: [
        ...[
          'addresses',
          'announcements',
          'api-keys',
          'asks',
          'claims',
          'deposits',
          'drops',
          'faucet',
          'giveaways',
          'invoiced-tips',
          'invoices',
          'linked-roles',
          'links',
          'message-tips',
          'own-wallets',
        ],
        ...['pools', 'processes', 'rain', 'rewards', 'rules', 'schedules', 'splits', 'tips', 'vouchers', 'withdrawals'],
      ],
      apart: {
        // A key gives rewards.
        'api-keys': ['rewards'],
        // Codes of a drop are vouchers. Rain and message tips are tips, and so is a reward from a pool.
        drops: ['vouchers'],
        // The sandbox fills the faucet by a deposit.
        faucet: ['deposits'],
        // A tip that is paid by invoice is sent as its deposit is credited.
        'invoiced-tips': ['deposits', 'message-tips', 'tips'],
        'message-tips': ['tips'],
        rain: ['tips'],
        // A line of a list that pays a Lightning Address leaves as a withdrawal.
        rewards: ['tips', 'withdrawals'],
        rules: ['rewards'],
        // A schedule repeats one of these.
        schedules: ['drops', 'giveaways', 'rain'],
        // A split is paid as a list.
        splits: ['rewards'],
      },
    },
    {
      name: 'views',
      rooms: [
        'adjustments',
        'administration',
        'audit',
        'balances',
        'exports',
        'history',
        'insights',
        'privacy',
        'provider-kinds.ts',
        'server-events',
        'wind-down',
      ],
    },
    {
      name: 'API',
      rooms: [
        'api.ts',
        'approved-gifts.ts',
        'create-tipping.ts',
        'dry-run.ts',
        'guild-of-record.ts',
        'must-hold-nothing.ts',
        'operator-access.ts',
        'time-of-book.ts',
        'tipping.ts',
      ],
    },
  ],
  'src/payments-service': [
    { name: 'core', rooms: ['core', 'generated'] },
    { name: 'engine', rooms: ['backends', 'engine'] },
    {
      name: 'nouns',
      rooms: ['log-in', 'payments', 'receiving', 'users', 'vouchers', 'withdrawal-requests'],
      apart: {
        // A payment may credit somebody here; a person who claims a request or a voucher hands in an invoice to be
        // paid.
        payments: ['receiving'],
        vouchers: ['payments'],
        'withdrawal-requests': ['payments', 'receiving'],
      },
    },
    {
      name: 'views',
      rooms: [
        'administration',
        'ask-for-prices.ts',
        'docs-page',
        'events',
        'forgetting.ts',
        'monitoring',
        'node-audit',
        'timekeeping.ts',
        'transactions',
      ],
    },
    { name: 'API', rooms: ['operations', 'service.ts', 'wallet-page'] },
  ],
}
