import { store } from '../fileModels/store.json'
import { sdk } from '../sdk'

export const showCode = sdk.Action.withoutInput(
  'show-code',
  async () => ({
    name: 'Show the code',
    description: 'The code that opens set-up, and later the console.',
    warning: null,
    allowedStatuses: 'any',
    group: null,
    visibility: 'enabled',
  }),
  async () => ({
    version: '1',
    title: 'Code of set-up and the console',
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
