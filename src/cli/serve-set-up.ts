import { restoreUpload } from '../assembly/backup/restore-upload.ts'
import { setUpInBrowser } from '../assembly/set-up/set-up-in-browser.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { fail, type Running } from './run.ts'
import { createRuntime } from './runtime.ts'
import { DISCORD, setUpParts } from './set-up-parts.ts'

/** Serves set-up to a browser, and afterwards calls `start` in the same process. */
export async function serveSetUp(start: () => Promise<Running>): Promise<Running> {
  const { callbacks, host, service, setUpCode } = readConfig(DISCORD)
  const options = {
    ...setUpParts(createRuntime({ logLevel: 'error' })),
    ...{ port: callbacks.port, host, trustProxy: service.trustProxy },
    code: setUpCode,
    // The settings file already holds these values.
    restore: (pieces: AsyncIterable<Uint8Array>) => restoreUpload(readConfig(), pieces, systemClock),
    announce(address: string, code: string | undefined) {
      if (code === undefined) console.log(`Set up Satchel at ${address} with the code of SETUP_CODE. Ctrl-C stops.`)
      else console.log(`Set up Satchel at ${address}#${code} (the code is ${code}, and works once). Ctrl-C stops.`)
    },
  }
  const setUp = await setUpInBrowser(options, start)
  let running: Running | undefined
  setUp.started.then((started) => {
    running = started
  }, fail)
  return { close: async () => await (running ?? setUp).close() }
}
