// Exists only to own the precompiled torch header that the layers above core share.
