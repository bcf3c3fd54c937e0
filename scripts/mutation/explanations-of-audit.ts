import type { Explained } from './explained.ts'

const AUDIT = 'src/assembly/audit'
const BACKUP = 'src/assembly/backup'

/** What survives the tests of audits and backups, and why that is well. */
export const OF_AUDIT: readonly Explained[] = [
  {
    file: `${AUDIT}/audit.ts`,
    code: 'const paid = addresses.flatMap(({ chargeId, credited }) => (chargeId === null ? [] : [{ chargeId, credited }]))',
    changes: ['chargeId === null => false', '[] => ["Stryker was here"]'],
    because: 'The book lets no address be live without its charge; the question is for the compiler.',
  },
  {
    file: `${BACKUP}/restore.ts`,
    code: "const used = there.find(({ file, kind }) => kind === 'database' && isInUse(file))",
    changes: ["kind === 'database' => true"],
    because: 'A key is no database, and of what is none it is never said that somebody uses it.',
  },
]
