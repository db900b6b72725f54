import { definePlugin } from '../../framework/plugin-definition.js';

const NAME = 'DefaultBinder';

/** Binds every pod the plain way: a Binding of the pod to the node. */
export const defaultBinder = definePlugin(NAME, () => ({
  bind: {
    name: NAME,
    bind: ({ pod }, node) => ({
      kind: 'bind',
      binding: {
        namespace: pod.namespace,
        name: pod.pod.metadata.name,
        uid: pod.uid,
        nodeName: node.name,
      },
    }),
  },
}));
