import type { Config } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { createPaymentsClient, PAYMENTS_A_PAGE, PaymentsError } from '../../payments-api/payments-api.ts'
import { storedProject } from '../own-project.ts'
import type { AskAddresses, AuditOptions } from './audit.ts'

/** Where the wallet is read: in the service's own database where it is in the box, with Get Wallet where it is not. */
export function providerToAudit(
  config: Pick<Config, 'provider' | 'service' | 'dataFolder'>,
  clock: Clock,
): { readonly source: AuditOptions['provider']; close(): Promise<void> } {
  if (config.provider === undefined) {
    const projectId = storedProject(config.dataFolder)?.projectId
    const source = { kind: 'in the box', database: config.service.databaseUrl, projectId } as const
    return { source, close: async () => undefined }
  }
  const { baseUrl, altBaseUrl, apiKey } = config.provider
  const client = createPaymentsClient({ baseUrl, altBaseUrl, apiKey: apiKey.reveal(), clock })
  const askWallet = async () => {
    try {
      return (await client.getWallet()).data.balance
    } catch (error) {
      if (error instanceof PaymentsError) return error.message
      throw error
    }
  }
  const askAddresses: AskAddresses = async (addresses) => {
    try {
      let paid = 0n
      for (const { chargeId: id, credited } of addresses) {
        for (let after = credited, more = true; more; ) {
          const { payments } = (await client.listStaticChargePayments({ id, after: String(after) })).data
          paid += payments.reduce((sum, { amount }) => sum + amount, 0n)
          after += payments.length
          more = payments.length === PAYMENTS_A_PAGE
        }
      }
      return paid
    } catch (error) {
      if (error instanceof PaymentsError) return undefined
      throw error
    }
  }
  return { source: { kind: 'elsewhere', askWallet, askAddresses }, close: () => client.close() }
}
