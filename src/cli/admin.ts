import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { systemEntropy } from '../lib/entropy.ts'
import { HttpProblem } from '../lib/http-problem.ts'
import { AdministrationRefusal, openAdministration } from '../payments-service/administration.ts'
import { readOrder, USAGE, UsageProblem } from './admin-order.ts'
import { fail } from './run.ts'

async function main(args: readonly string[]): Promise<void> {
  const order = readOrder(args)
  if (order === 'help') return void console.log(USAGE)
  const { service } = readConfig()
  const administration = await openAdministration({
    databaseUrl: service.databaseUrl,
    clock: systemClock,
    entropy: systemEntropy,
    settings: service,
    sandbox: service.backend === 'sandbox',
  })
  try {
    console.log(JSON.stringify(await order(administration)))
  } finally {
    await administration.close()
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const mendable =
    error instanceof UsageProblem || error instanceof AdministrationRefusal || error instanceof HttpProblem
  if (!mendable) fail(error)
  console.error(error.message)
  process.exit(1)
})
