.version 8.0
.target sm_90a
.address_size 64
.visible .entry k()
.maxntid 128, 1, 1
{
	bar.sync 0;
	mbarrier.init.shared::cta.b64 [%r1],
