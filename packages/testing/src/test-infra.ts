import { isDockerAvailable, startContainers } from './containers.ts';
import { StartFailure } from '@site/local-infra/failure';
import { startInfra } from './infra.ts';
import type { GivenInfra, Infra } from './infra.ts';
import { makeTestFolder } from '@site/local-infra/test-folder';

/**
 * Starts Postgres and Redis for a test run. `TEST_INFRA` is `embedded`, `containers`, or `auto`
 * (containers if a Docker engine answers). Without it, DATABASE_URL and REDIS_URL are used if set,
 * else embedded servers. On disk Postgres writes as in production, so that it can be measured.
 */
export async function startTestInfra(
  wish: string | undefined,
  given: GivenInfra,
  place?: 'memory' | 'disk',
): Promise<Infra> {
  if (wish !== undefined && !['embedded', 'containers', 'auto', ''].includes(wish)) {
    throw new StartFailure(`TEST_INFRA is "${wish}": it must be embedded, containers or auto.`);
  }
  const isDisposable = place !== 'disk';
  if (wish === 'containers' || (wish === 'auto' && (await isDockerAvailable())))
    return startContainers({ isDisposable });
  const folder = makeTestFolder(place);
  const infra = await startInfra(wish ? {} : given, {
    dataDir: folder.path,
    forTests: isDisposable,
  });
  return {
    ...infra,
    stop: async () => {
      await infra.stop();
      folder.remove();
    },
  };
}
