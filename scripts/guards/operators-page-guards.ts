import type { Guard } from './guard.ts'

const TEST = 'test/callback-server/operators-page.test.ts'
const ROUTES = 'src/callback-server/operators-page/routes.ts'
const SIGN_INS = 'src/callback-server/operators-page/sign-ins.ts'

/** What stands between strangers and the operators' page. */
export const OPERATORS_PAGE_GUARDS: readonly Guard[] = [
  {
    fault: "strangers on the operators' page",
    holds: 'nothing is shown to who is not signed in',
    places: [{ file: ROUTES, text: 'if (operator === undefined) return', without: 'if (operator === null) return' }],
    test: TEST,
    named: 'shows no figure',
  },
  {
    fault: "strangers on the operators' page",
    holds: 'a link is used once',
    places: [
      {
        file: SIGN_INS,
        text: 'const operator = this.#links.take(token)',
        without: 'const operator = this.#links.get(token)',
      },
    ],
    test: TEST,
    named: 'takes a link, once',
  },
  {
    fault: "strangers on the operators' page",
    holds: 'links and sessions expire',
    places: [
      {
        file: SIGN_INS,
        text: 'this.#clock.monotonic() < kept.endsAt',
        without: '0 < kept.endsAt',
      },
    ],
    test: TEST,
    named: 'ends after an hour',
  },
  {
    fault: "strangers on the operators' page",
    holds: 'no other site signs anybody in or out',
    places: [
      {
        file: ROUTES,
        text: 'if (!isForeignForm(headers, publicUrl)) return',
        without: 'if (isForeignForm(headers, publicUrl) !== undefined) return',
      },
    ],
    test: TEST,
    named: 'by a form of another site',
  },
  {
    fault: "strangers on the operators' page",
    holds: "a link's secret is where no server and no log sees it",
    places: [{ file: ROUTES, text: 'SIGN_IN}#', without: 'SIGN_IN}?' }],
    test: TEST,
    named: 'writes no token',
  },
]
