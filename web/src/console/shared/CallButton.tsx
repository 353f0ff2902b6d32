export { Button as CallButton } from '../../ui/Button.tsx';
