import { PaymentsClient, PaymentsError } from '../src/index.ts'

/** Your first charge: makes an invoice for 21 sats, prints it, and waits until it is paid. */
const { SATCHEL_URL = 'http://127.0.0.1:8787', SATCHEL_KEY } = process.env
if (!SATCHEL_KEY) {
  console.error('Set SATCHEL_KEY to the apiKey of your project.')
  process.exit(1)
}

try {
  const client = new PaymentsClient({ baseUrl: SATCHEL_URL, apiKey: SATCHEL_KEY })
  const order = { amount: 21_000n, description: 'Order 7', internalId: 'order-7' }
  const { data: charge } = await client.createCharge(order, { idempotencyKey: 'order-7' })
  console.log(`Pay this: ${charge.invoice.request}`)
  for (let state = charge; ; state = (await client.getCharge({ id: charge.id })).data) {
    if (state.status === 'completed') {
      console.log(`Paid at ${state.confirmedAt}`)
      break
    }
    if (state.status === 'expired') throw new Error('nobody paid in time')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
} catch (error) {
  if (!(error instanceof PaymentsError)) throw error
  // After `no`, nothing has happened. After `maybe`, send the same request again with the same key.
  console.error(`${error.message} (happened: ${error.happened})`)
  process.exitCode = 1
}
