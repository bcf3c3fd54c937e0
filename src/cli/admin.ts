import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { holdBooks } from '../assembly/books/hold-books.ts'
import { type Config, isSandbox, readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { isNoFile } from '../lib/database/sqlite/peek.ts'
import { isFile } from '../lib/database/url-kinds.ts'
import { systemEntropy } from '../lib/entropy.ts'
import { HttpProblem } from '../lib/http/http-problem.ts'
import { Problem } from '../lib/problem.ts'
import { AdministrationRefusal, openAdministration } from '../payments-service/administration/administration.ts'
import { signInLink } from '../payments-service/users/sign-in-token.ts'
import { lastPorts } from '../playground/world/ports.ts'
import { createDeposit, projectOf } from './admin-deposit.ts'
import { type Here, readOrder, UsageProblem } from './admin-order.ts'
import { fail } from './run.ts'

async function main(args: readonly string[]): Promise<void> {
  const order = readOrder(args)
  if (typeof order === 'string') return void console.log(order)
  // Whatever is written is for this user's eyes.
  process.umask(0o077)
  const config = readConfig()
  const { discord, service, host, dataFolder } = config
  mustBeThere(config)
  const administration = await openAdministration({
    databaseUrl: service.databaseUrl,
    clock: systemClock,
    entropy: systemEntropy,
    settings: service,
    sandbox: isSandbox(service.lightning),
    ...(service.lightning.kind === 'sandbox' && { sandboxFolder: dataFolder }),
  })
  try {
    // A playground, which is what runs without a Discord token, chooses its ports by itself and keeps them in its folder.
    const port = (discord === undefined ? lastPorts(dataFolder)?.service : undefined) ?? service.port
    const publicUrl = service.publicUrl ?? `http://${host}:${port}`
    const deposit = createDeposit({ dataFolder, port }, { clock: systemClock, say: (text) => console.error(text) })
    const here: Here = {
      deposit,
      projectOf: (named, otherwise) => projectOf(dataFolder, named, otherwise),
      alone: (run) => withoutService(config, run),
    }
    console.log(JSON.stringify(withSignInLink(await order(administration, here), publicUrl)))
  } finally {
    await administration.close()
  }
}

/** The administration makes no book: a mistyped address would get one, and answer as if it were the right one. */
function mustBeThere({ service, dataFolder }: Config): void {
  const { databaseUrl } = service
  const file = databaseUrl.slice('file:'.length)
  if (!isFile(databaseUrl) || !isNoFile(file)) return
  const playground = existsSync(join(dataFolder, 'playground', 'payments.sqlite'))
    ? ` The playground's is in ${join(dataFolder, 'playground')}: set DATA_FOLDER to that.`
    : ''
  throw new Problem(
    `There is no service's book at ${resolve(file)}, and nothing was made. Start the service first (npm start, or npm run service), or set PAYMENTS_DATABASE_URL or DATA_FOLDER to where its book is.${playground}`,
  )
}

async function withoutService(config: Config, run: () => Promise<unknown>): Promise<unknown> {
  const unlock = holdBooks(config, ['service'])
  try {
    return await run()
  } finally {
    unlock()
  }
}

/** What opens the wallet page stands beside the token that it carries. */
function withSignInLink(answer: unknown, publicUrl: string): unknown {
  if (typeof answer !== 'object' || answer === null || !('token' in answer) || !('userId' in answer)) return answer
  return { ...answer, link: signInLink({ publicUrl }, String(answer.token)) }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const mendable =
    error instanceof UsageProblem || error instanceof AdministrationRefusal || error instanceof HttpProblem
  if (!mendable) fail(error)
  console.error(error.message)
  process.exit(1)
})
