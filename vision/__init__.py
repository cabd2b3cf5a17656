"""Pictures in, readings out: opens no device, keeps no time, knows no game beyond the faces."""
