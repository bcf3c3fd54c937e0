import { store } from '../fileModels/store.json'
import { sdk } from '../sdk'

const { InputSpec, Value } = sdk

export const chooseNode = sdk.Action.withInput(
  'choose-node',
  async () => ({
    name: 'Choose the Lightning node',
    description: 'Which node of this server Satchel may use. Set-up in the browser then offers it.',
    warning: 'A book belongs to its node. With another node, Satchel begins new books and keeps the old ones.',
    allowedStatuses: 'any',
    group: null,
    visibility: 'enabled',
  }),
  InputSpec.of({
    node: Value.select({
      name: 'Lightning node',
      description: 'LND and phoenixd have to be installed on this server.',
      values: { none: 'None yet: test sats, or a node elsewhere', lnd: 'LND', phoenixd: 'phoenixd' },
      default: 'none',
    }),
  }),
  async () => ({ node: (await store.read(({ node }) => node).once()) ?? 'none' }),
  async ({ effects, input }) => {
    await store.merge(effects, { node: input.node })
  },
)
