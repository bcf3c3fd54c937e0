import { store } from '../fileModels/store.json'
import { sdk } from '../sdk'

export const showCode = sdk.Action.withoutInput(
  'show-code',
  async () => ({
    name: 'Show the set-up code',
    description: 'The code that opens Satchel’s set-up in the browser.',
    warning: null,
    allowedStatuses: 'any',
    group: null,
    visibility: 'enabled',
  }),
  async () => ({
    version: '1',
    title: 'Set-up code',
    message: 'Open the web page of Satchel and enter this code.',
    result: {
      type: 'single',
      value: (await store.read(({ setupCode }) => setupCode).once()) ?? '',
      copyable: true,
      masked: true,
      qr: false,
    },
  }),
)
