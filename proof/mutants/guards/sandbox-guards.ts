import type { Guard } from './guard.ts'

const ACCESS = 'test/payments-service/backends/sandbox-access.test.ts'
const SERVER = 'test/payments-service/backends/remote-sandbox/access.test.ts'
const GUARD = 'src/payments-service/backends/sandbox/sandbox-guard.ts'

/** What keeps the sandbox's routes to its owner. */
export const SANDBOX_GUARDS: readonly Guard[] = [
  {
    fault: 'open sandbox',
    holds: 'the routes ask for the token',
    places: [
      {
        file: GUARD,
        text: 'if (!isSameSecret(authorization, expected)) {',
        without: 'if (expected === undefined) {',
      },
    ],
    test: ACCESS,
    named: 'is kept out of',
  },
  {
    fault: 'open sandbox',
    holds: 'only this user reads the token',
    places: [
      {
        file: 'src/payments-service/backends/sandbox/sandbox-token.ts',
        text: "{ mode: 0o600, flag: 'wx' }",
        without: "{ mode: 0o644, flag: 'wx' }",
      },
    ],
    test: ACCESS,
    named: 'cannot read it',
  },
  {
    fault: 'open sandbox',
    holds: 'a request that another site made is refused',
    places: [{ file: GUARD, text: 'if (!sameSite || ', without: 'if (!sameSite && ' }],
    test: ACCESS,
    named: 'is refused',
  },
  {
    fault: 'open sandbox',
    holds: 'a name that was rebound to this machine is refused',
    places: [{ file: GUARD, text: 'if (!isOwnHost(host, ownUrls())) {', without: 'if (host === "") {' }],
    test: ACCESS,
    named: 'under a name that was rebound',
  },
  {
    fault: 'open sandbox',
    holds: 'a body says that it is JSON',
    places: [{ file: GUARD, text: "if (method === 'POST' && ", without: "if (method === 'PUT' && " }],
    test: ACCESS,
    named: 'cannot post as',
  },
  {
    fault: 'open sandbox',
    holds: 'the outside wallet asks nobody but the service',
    places: [
      {
        file: 'src/assembly/open-sandbox.ts',
        text: 'mayAsk: ({ origin }) => origins.has(origin)',
        without: 'mayAsk: ({ origin }) => origins !== undefined || origin === ""',
      },
    ],
    test: ACCESS,
    named: 'asks the service, and no other server',
  },
  {
    fault: 'open sandbox',
    holds: 'the node of a sandbox in a process of its own asks for the token',
    places: [
      {
        file: 'src/payments-service/backends/sandbox/node-routes.ts',
        text: 'admitOwner(request, access)',
        without: 'admitOwner === undefined || request === access',
      },
    ],
    test: SERVER,
    named: 'is for the owner of the token alone',
  },
  {
    fault: 'two processes on one sandbox',
    holds: 'a data folder has one sandbox at a time',
    places: [
      {
        file: 'src/assembly/open-sandbox.ts',
        text: "lockFolder(folder, 'sandbox')",
        without: 'lockFolder(folder)',
      },
    ],
    test: SERVER,
    named: 'has its folder to itself',
  },
  {
    fault: 'a refusal taken for proof',
    holds: 'nothing but an outcome of the sandbox ends a payment',
    places: [
      {
        file: 'src/payments-service/backends/remote-sandbox/remote-sandbox.ts',
        text: "state: 'unknown', evidence: String(error)",
        without: "state: 'failed', code: 'other', reason: '', evidence: String(error)",
      },
    ],
    test: 'test/payments-service/backends/remote-sandbox/remote-sandbox.test.ts',
    named: 'a payment over HTTP',
  },
  {
    fault: 'open sandbox',
    holds: 'a redirect is judged like the first address',
    places: [
      {
        file: 'src/lib/http/guarded-fetch.ts',
        text: 'if (!mayAsk(target)) throw',
        without: 'if (redirects === 0 && !mayAsk(target)) throw',
      },
    ],
    test: 'test/lib/http/guarded-fetch.test.ts',
    named: 'go only where their owner lets them',
  },
  {
    fault: 'told before the disk',
    holds: 'the sandbox answers after the sync of what it tells',
    places: [
      {
        file: 'src/payments-service/backends/sandbox/network-file.ts',
        text: 'await this.durable()',
        without: 'void this.durable()',
      },
    ],
    test: 'test/payments-service/backends/sandbox-syncs.test.ts',
    named: 'is told only after',
  },
  {
    fault: 'told before the disk',
    holds: 'a sync that began before a change does not count for it',
    places: [
      {
        file: 'src/payments-service/backends/sandbox/log-sync.ts',
        text: 'await (this.#next ?? this.#running)',
        without: 'await this.#running',
      },
    ],
    test: 'test/payments-service/backends/sandbox-syncs.test.ts',
    named: 'shares one sync',
  },
  {
    fault: 'told before the disk',
    holds: 'after a sync that failed nothing more is told',
    places: [
      {
        file: 'src/payments-service/backends/sandbox/log-sync.ts',
        text: 'this.#failed ??= error',
        without: 'void error',
      },
    ],
    test: 'test/payments-service/backends/sandbox-syncs.test.ts',
    named: 'is told no more',
  },
]
