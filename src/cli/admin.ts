import { existsSync } from 'node:fs'
import { acceptBook, mustHaveServicesBook } from '../assembly/books/check-books.ts'
import { holdBooks } from '../assembly/books/hold-books.ts'

import { knownBook } from '../assembly/books/known-books.ts'

import { openForOperators } from '../assembly/open-for-operators.ts'

import { type Config, isSandbox, readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { systemEntropy } from '../lib/entropy.ts'
import { HttpProblem } from '../lib/http/http-problem.ts'
import { silentLogger } from '../lib/logger.ts'
import { Problem } from '../lib/problem.ts'
import {
  type Administration,
  AdministrationRefusal,
  openAdministration,
} from '../payments-service/administration/administration.ts'
import { signInLink } from '../payments-service/users/sign-in-token.ts'
import { lastPorts } from '../playground/world/ports.ts'
import { TippingRefusal } from '../tipping/tipping.ts'
import { createDeposit, projectOf } from './admin-deposit.ts'
import { type Here, readOrder, UsageProblem } from './admin-order.ts'
import { inJson, inWords, type OperatorOrder, readOperatorOrder } from './operator-order.ts'
import { fail } from './run.ts'

async function main(args: readonly string[]): Promise<void> {
  const operators = readOperatorOrder(args, (problem) => new UsageProblem(problem, args.slice(0, 1)))
  if (operators !== undefined) return await forOperators(operators)
  const order = readOrder(args)
  if (typeof order === 'string') return void console.log(order)
  // Only this user may read the files that this process writes.
  process.umask(0o077)
  const config = readConfig()
  const { service, host, dataFolder } = config
  mustHaveServicesBook(config)
  const administration = await openAdministration({
    databaseUrl: service.databaseUrl,
    clock: systemClock,
    entropy: systemEntropy,
    settings: service,
    sandbox: isSandbox(service.lightning),
    ...(service.lightning.kind === 'sandbox' && { sandboxFolder: dataFolder }),
  })
  try {
    const port = servicePort(config)
    const publicUrl = service.publicUrl ?? `http://${host}:${port}`
    const deposit = createDeposit({ dataFolder, port }, { clock: systemClock, say: (text) => console.error(text) })
    const here: Here = {
      deposit,
      projectOf: (named, otherwise) => projectOf(dataFolder, named, otherwise),
      alone: (run) => withoutService(config, run),
    }
    console.log(JSON.stringify(withSignInLink(await order(administration, here), publicUrl)))
    await noteFirstProject(config, administration)
  } finally {
    await administration.close()
  }
}

/**
 * Returns the service's port. Without a Discord token a playground may run, which chooses its own ports and stores them
 * in its folder.
 */
function servicePort({ discord, dataFolder, service }: Config): number {
  return (discord === undefined ? lastPorts(dataFolder)?.service : undefined) ?? service.port
}

/** Runs an operator's command on the bot's book, for times when Discord is down or the operators cannot use it. */
async function forOperators(order: OperatorOrder): Promise<void> {
  process.umask(0o077)
  const config = readConfig()
  const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const access = await openForOperators(config, servicePort(config), runtime)
  try {
    console.log(inJson(await order(access)))
  } catch (error) {
    if (!(error instanceof TippingRefusal)) throw error
    throw new Problem(inWords(error, access))
  } finally {
    await access.close()
  }
}

/**
 * Notes in the data folder that the book of a service without a bot has begun with its first project. If the service's
 * data folder is elsewhere, the service's next start notes this.
 */
async function noteFirstProject(config: Config, administration: Pick<Administration, 'listProjects'>): Promise<void> {
  if (!existsSync(config.dataFolder) || knownBook(config.dataFolder, 'service') !== undefined) return
  if ((await administration.listProjects()).length > 0) acceptBook(config, 'service')
}

async function withoutService(config: Config, run: () => Promise<unknown>): Promise<unknown> {
  const unlock = holdBooks(config, ['service'])
  try {
    return await run()
  } finally {
    unlock()
  }
}

/** Adds the sign-in link for the wallet page to an answer with a token. */
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
