import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from '../../lib/problem.ts'
import { createSetUpServer, type SetUpServer } from '../../web/web-server.ts'
import { type SetUpOptions, setUp } from './set-up.ts'

export interface BrowserOptions extends Omit<SetUpOptions, 'prompter' | 'place'> {
  /** 0 takes any free port. */
  readonly port: number
  readonly host: string
  readonly trustProxy: boolean | string
  /** A code that the operator has set; undefined: one is made. */
  readonly code: string | undefined
  /** Restores an archive that the browser sends, and resolves to a description of what it did. May throw Problem. */
  readonly restore?: (pieces: AsyncIterable<Uint8Array>) => Promise<string>
  /** Tells a person where the page is, and the code that opens it, where one was made. */
  readonly announce: (address: string, code: string | undefined) => void
}

/** Set-up while it is served to a browser. */
export interface BrowserSetUp<Started> {
  /** The services that did start. Rejects on a fault of the program alone. */
  readonly started: Promise<Started>
  /** Serves the page no more. */
  close(): Promise<void>
}

/**
 * Serves set-up at `/setup`: the same questions as at a terminal. When the person says so, it calls `start`, whose
 * server may take the same port. The page shows faults for a person to mend, also before a start is possible, and they
 * try again. Throws Problem if the settings could not be written at the end, or the port is taken.
 */
export async function setUpInBrowser<Started>(
  options: BrowserOptions,
  start: () => Promise<Started>,
): Promise<BrowserSetUp<Started>> {
  const { clock, entropy, logger } = options.runtime
  assertWritable(options.envFile)
  const server = createSetUpServer({ ...options, clock, entropy, logger })
  await server.open()
  return { started: converse(options, server, start), close: () => server.close() }
}

async function converse<Started>(
  options: BrowserOptions,
  server: SetUpServer,
  start: () => Promise<Started>,
): Promise<Started> {
  const { conversation } = server
  let isSettled = false
  for (;;) {
    try {
      if (!isSettled) {
        await setUp({ ...options, prompter: conversation, place: 'browser' })
        isSettled = true
        await conversation.settled()
      }
      await server.close()
      return await start()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      await server.open()
      const problem = isSettled ? `Satchel could not start. ${error.message}` : error.message
      const onward = await conversation.halt(problem, isSettled ? ['start', 'questions'] : ['questions'])
      isSettled = onward === 'start'
    }
  }
}

/** Nobody should answer all questions for nothing. */
function assertWritable(envFile: string): void {
  const folder = dirname(envFile)
  try {
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const isMissing = (error as { code?: string }).code === 'ENOENT'
    const why = isMissing ? 'is not there. Make it for' : 'cannot be written by this user. Give it to'
    throw new Problem(
      `Settings are kept in ${envFile}, and the folder ${folder} ${why} the user that runs Satchel, or name another file in SETTINGS_FILE.`,
      { cause: error },
    )
  }
}
