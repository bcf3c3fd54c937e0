import { type Config, isSandbox } from '../../config/config.ts'
import { createPaymentsClient, PAYMENTS_A_PAGE, PaymentsError } from '../../payments-api/payments-api.ts'
import { openLightning } from '../open-lightning.ts'
import { storedProject } from '../own-project.ts'
import type { Runtime } from '../runtime.ts'
import type { AskAddresses, AuditOptions } from './audit.ts'

/**
 * Returns where an audit reads the wallet: in the bundled service's own database, or at another provider with Get
 * Wallet.
 */
export async function providerToAudit(
  config: Pick<Config, 'provider' | 'service' | 'dataFolder'>,
  runtime: Runtime,
): Promise<{ readonly source: AuditOptions['provider']; close(): Promise<void> }> {
  const { clock } = runtime
  if (config.provider === undefined) return await serviceInTheBox(config, runtime)
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

/** Returns the bundled service with its node. A sandbox's node is left out, because its sats come from nowhere. */
async function serviceInTheBox(
  { service, dataFolder }: Pick<Config, 'service' | 'dataFolder'>,
  runtime: Runtime,
): Promise<{ readonly source: AuditOptions['provider']; close(): Promise<void> }> {
  const projectId = storedProject(dataFolder)?.projectId
  const source = { kind: 'in the box', database: service.databaseUrl, projectId } as const
  const { lightning, liquidityAlertPercent } = service
  if (isSandbox(lightning)) return { source, close: async () => undefined }
  const { backend, close } = await openLightning(lightning, { ...runtime, dataFolder })
  return { source: { ...source, node: { backend, liquidityAlertPercent } }, close }
}
