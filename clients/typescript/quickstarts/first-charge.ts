import { PaymentsClient, PaymentsError } from '../src/index.ts'

/** Your first charge: makes an invoice of 21 sats, prints it, and waits until it is paid. */
const client = new PaymentsClient({
  baseUrl: process.env.SATCHEL_URL ?? 'http://127.0.0.1:8787',
  apiKey: process.env.SATCHEL_KEY ?? '',
})

try {
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
  // `no`: nothing happened. `maybe`: send the same request again with the same key.
  console.error(`${error.message} (happened: ${error.happened})`)
  process.exitCode = 1
}
