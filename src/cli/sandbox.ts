import { startSandbox } from '../assembly/start-sandbox.ts'
import { readConfig } from '../config/config.ts'
import { run, takeNoOptions } from './run.ts'
import { createRuntime } from './runtime.ts'

/** `npm run sandbox`: runs only the sandbox Lightning network, for payments services in other processes. */
await run(async () => {
  takeNoOptions()
  // The sandbox does not need the service's settings, and its token may not exist yet.
  const config = readConfig(['LIGHTNING_BACKEND'])
  const sandbox = await startSandbox(config, createRuntime(config))
  const url = config.sandbox.url ?? sandbox.url
  console.log(
    `The sandbox listens on ${sandbox.url}. Its test sats are for services with LIGHTNING_BACKEND=remote-sandbox, ` +
      `SANDBOX_URL=${url} and SANDBOX_TOKEN_FILE=${sandbox.tokenFile}`,
  )
  return sandbox
})
