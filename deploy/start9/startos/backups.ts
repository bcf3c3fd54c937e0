import { sdk } from './sdk'

const DATA = '/app/data'
/** A copy of the books of one moment, made by Satchel. Files that are being written to would be torn. */
const COPY = `${DATA}/backup`

/** Set-up wrote the first, and it names the others. */
const SETTINGS = 'settings.env lnd.macaroon lnd-tls.cert phoenixd-password'

const COPY_BOOKS = `rm -rf ${COPY}
mkdir -m 700 ${COPY}
[ -f ${DATA}/settings.env ] || exit 0
for file in ${SETTINGS}; do [ ! -f ${DATA}/$file ] || cp ${DATA}/$file ${COPY}/; done
node src/cli/satchel.mjs backup ${COPY}/books`

/** By Satchel's own restore, which checks the books and pauses what leaves: payments may have been made since. */
const RESTORE_BOOKS = `[ -f ${COPY}/settings.env ] || exit 0
for file in ${SETTINGS}; do [ ! -f ${COPY}/$file ] || cp ${COPY}/$file ${DATA}/; done
node src/cli/satchel.mjs restore ${COPY}/books
rm -rf ${COPY}`

type Effects = Parameters<typeof sdk.SubContainer.withTemp>[0]

async function run(effects: Effects, commands: string): Promise<void> {
  const mounts = sdk.Mounts.of().mountVolume({ volumeId: 'main', subpath: null, mountpoint: DATA, readonly: false })
  await sdk.SubContainer.withTemp(effects, { imageId: 'satchel' }, mounts, 'backup', async (container) => {
    await container.execFail(['chown', '-R', 'node:', DATA], { user: 'root' })
    await container.execFail(['sh', '-ec', commands], { user: 'node', cwd: '/app' }, null)
  })
}

export const { createBackup, restoreInit } = sdk.setupBackups(async () =>
  sdk.Backups.ofVolumes('startos')
    .addSync({ dataPath: '/media/startos/volumes/main/backup', backupPath: '/media/startos/backup/books' })
    .setPreBackup((effects) => run(effects, COPY_BOOKS))
    .setPostRestore((effects) => run(effects, RESTORE_BOOKS)),
)
