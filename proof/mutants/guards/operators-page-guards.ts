import type { Guard } from './guard.ts'

const TEST = 'test/web/operators-page.test.ts'
const ROUTES = 'src/web/operators-page/routes.ts'
const SIGN_INS = 'src/tipping/administration/operator-sign-ins.ts'

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
        text: 'await tx.operatorPass.delete({ where: { id: link.id } })',
        without: '',
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
        text: 'hash: hash(token), kind, endsAt: { gt: latest() } }',
        without: 'hash: hash(token), kind }',
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
  {
    fault: "strangers on the operators' page",
    holds: 'who reads the book, or a backup, can use no link and no session',
    places: [
      {
        file: SIGN_INS,
        text: "return createHash('sha256').update(secret).digest('base64url')",
        without: "return createHash === undefined ? '' : secret",
      },
    ],
    test: TEST,
    named: 'keeps in the book what nobody can use',
  },
  {
    fault: "strangers on the operators' page",
    holds: 'a clock that is set back makes no session last longer',
    places: [{ file: SIGN_INS, text: 'clockWatch.latest() + afterMs', without: 'clockWatch.earliest() + afterMs' }],
    test: TEST,
    named: 'for a clock that is set back',
  },
]
