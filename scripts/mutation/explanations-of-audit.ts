import type { Explained } from './explained.ts'

const AUDIT = 'src/assembly/audit'
const BACKUP = 'src/assembly/backup'

/** What survives the tests of audits and backups, and why that is well. */
export const OF_AUDIT: readonly Explained[] = [
  {
    file: `${AUDIT}/audit.ts`,
    code: 'addresses: await tx.address.findMany({ select: { chargeId: true, credited: true } }),',
    changes: ['{ select: { chargeId: true, credited: true } } => {}'],
    because: 'It only spares reading the other columns: the two are taken out below.',
  },
  {
    file: `${BACKUP}/restore.ts`,
    code: "const used = there.find(({ file, kind }) => kind === 'database' && isInUse(file))",
    changes: ["kind === 'database' => true"],
    because: 'A key is no database, and of what is none it is never said that somebody uses it.',
  },
]
