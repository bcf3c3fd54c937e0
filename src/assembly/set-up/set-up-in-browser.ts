import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from '../../lib/problem.ts'
import { createSetUpServer, type SetUpServer } from '../../web/web-server.ts'
import { type SetUpOptions, setUp } from './set-up.ts'
import type { Answers } from './way-back.ts'

export interface BrowserOptions extends Omit<SetUpOptions, 'prompter' | 'place'> {
  /** The port to listen on; 0 for any free port. */
  readonly port: number
  readonly host: string
  readonly trustProxy: boolean | string
  /** The code that the operator has set; undefined if a code should be created. */
  readonly code: string | undefined
  /** Restores an archive that the browser sends. Resolves to a description of the result. May throw Problem. */
  readonly restore?: (pieces: AsyncIterable<Uint8Array>) => Promise<string>
  /** Tells a person the page's address, and the code that opens the page if a code was created. */
  readonly announce: (address: string, code: string | undefined) => void
}

/** Set-up while it is served to a browser. */
export interface BrowserSetUp<Started> {
  /** Resolves to the started services. Rejects only on a fault of the program. */
  readonly started: Promise<Started>
  /** Stops serving the page. */
  close(): Promise<void>
}

/**
 * Serves set-up at `/setup` with the same questions as at a terminal. Calls `start` when the person asks to start
 * Satchel; the server of `start` may use the same port. If set-up or `start` throws Problem, the page shows it, and the
 * person can try again. Throws Problem if the settings' folder cannot be written to or the port is taken.
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
  const answers: Answers = new Map()
  let isSettled = false
  for (;;) {
    try {
      if (!isSettled) {
        await setUp({ ...options, prompter: conversation, place: 'browser', answers })
        if ((await conversation.settled()) === 'questions') continue
        isSettled = true
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

/**
 * Throws Problem if the settings' folder cannot be written to. Called first, so that nobody answers all questions in
 * vain.
 */
function assertWritable(envFile: string): void {
  const folder = dirname(envFile)
  try {
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const isMissing = (error as { code?: string }).code === 'ENOENT'
    const why = isMissing ? 'does not exist. Create it for' : 'is not writable. Give it to'
    throw new Problem(
      `Settings are kept in ${envFile}, but the folder ${folder} ${why} the user that runs Satchel, or set SETTINGS_FILE to another file.`,
      { cause: error },
    )
  }
}
